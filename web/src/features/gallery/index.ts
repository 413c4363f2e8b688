export { newestPicturesQuery, picturesQuery } from './api'
export { PictureGrid } from './components/picture-grid'
export { PictureTile } from './components/picture-tile'
export type { OpenedFrom, PictureList, PictureSort } from './model'
