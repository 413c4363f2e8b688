/** Larger 3D models take too much memory of a phone. */
export const MOST_MODEL_BYTES = 64 * 2 ** 20

/** Whether a page can draw the file with this name as a 3D model. */
export const isModel = (name: string): boolean => /\.glb$/i.test(name)
