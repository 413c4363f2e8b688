export {
  useRename,
  userQuery,
  useSaveLanguage,
  useSetPassword,
  useSetPortrait,
  useSignOut,
  useUser,
} from './api'
export { GuestState } from './components/guest-state'
export { LoginDialogProvider, useLoginDialog } from './components/login-dialog'
export { PasswordField } from './components/password-field'
export { VerifyNotice } from './components/verify-notice'
export { nameProblem, passwordProblem, rememberPlace } from './model'
