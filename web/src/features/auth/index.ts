export {
  leave,
  planQuery,
  type Session,
  signInOptionsQuery,
  syncTabs,
  useGuest,
  useRename,
  userQuery,
  useSaveLanguage,
  useSession,
  useSetPassword,
  useSetPortrait,
  useSignOut,
  useStartLinking,
  useUnlink,
  useUser,
  wasSignedIn,
} from './api'
export { GuestState } from './components/guest-state'
export { LoginDialogProvider, useLoginDialog } from './components/login-dialog'
export { PasswordField } from './components/password-field'
export { ProviderMark } from './components/provider-mark'
export { SignCard } from './components/sign-card'
export { AdminOnly, SignedInOnly } from './components/signed-in-only'
export { PlanError, UndoPublishHint, useCanUnpublish } from './components/unpublish'
export { VerifyNotice } from './components/verify-notice'
export {
  codeOf,
  nameProblem,
  PROVIDER_NAMES,
  PROVIDERS,
  type Provider,
  passwordProblem,
  rememberLinking,
  rememberReturnPath,
  serverProblems,
} from './model'
export { useRequireUser } from './use-require-user'
