export { newestPicturesQuery, pictureGraphQuery, picturesQuery, useCopyToUploads } from './api'
export { PictureGrid } from './components/picture-grid'
export { PictureTile } from './components/picture-tile'
export { type OpenedFrom, type PictureList, type PictureSort, sortOf as pictureSortOf } from './model'
