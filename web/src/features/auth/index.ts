export { useRename, userQuery, useSaveLanguage, useSignOut, useUser } from './api'
export { GuestState } from './components/guest-state'
export { LoginDialogProvider, useLoginDialog } from './components/login-dialog'
export { nameProblem, rememberPlace } from './model'
