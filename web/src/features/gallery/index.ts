export { newestPicturesQuery } from './api'
export { PictureTile } from './components/picture-tile'
