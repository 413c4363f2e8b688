export { endChat } from './channel'
export { SupportChat } from './support-chat'
