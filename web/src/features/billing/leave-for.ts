/** Leaves the application for another page, such as the one of a payment provider. */
export const leaveFor = (address: string): void => window.location.assign(address)
