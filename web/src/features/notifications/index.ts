export { AlertSettings } from './components/alert-settings'
export { Bell } from './components/bell'
export { NoticeText } from './components/notice-text'
