/** Files that can carry a graph, as a file field accepts them. */
export const GRAPH_FILES = [
  '.json,.png,.webp,.jpg,.jpeg,.avif,.svg',
  '.mp4,.mov,.m4v,.webm,.mkv',
  '.flac,.mp3,.ogg,.oga,.opus',
  '.latent,.safetensors,.glb',
].join()
