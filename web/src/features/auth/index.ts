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
export { SignCard } from './components/sign-card'
export { VerifyNotice } from './components/verify-notice'
export { codeOf, nameProblem, passwordProblem, rememberPlace } from './model'
