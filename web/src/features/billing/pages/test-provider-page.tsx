/** The pages of the test provider, as one chunk. */
export { default as TestAgreementPage } from './test-agreement-page'
export { default as TestCardPage } from './test-card-page'
export { default as TestPaymentPage } from './test-payment-page'
