export {
  followTabs,
  leave,
  planQuery,
  type Session,
  signInOptionsQuery,
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
export { AdminOnly } from './components/admin-only'
export { GuestState } from './components/guest-state'
export { LoginDialogProvider, useLoginDialog } from './components/login-dialog'
export { Members } from './components/members'
export { PasswordField } from './components/password-field'
export { PlanUnread } from './components/plan-unread'
export { ProviderMark } from './components/provider-mark'
export { SignCard } from './components/sign-card'
export { VerifyNotice } from './components/verify-notice'
export { WayBack } from './components/way-back'
export {
  codeOf,
  nameProblem,
  PROVIDER_NAMES,
  PROVIDERS,
  type Provider,
  passwordProblem,
  rememberLinking,
  rememberPlace,
  serverProblems,
} from './model'
export { useAsUser } from './use-as-user'
export { useHiding } from './use-hiding'
