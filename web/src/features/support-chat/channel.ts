import type { ChatMember } from '@/shared/api/types'

export type ChatProfile = { name: string; nameTag: string; email: string; plan: string; avatarUrl?: string }

type Channel = ((...call: unknown[]) => void) & { q?: unknown[][]; c?: (call: unknown[]) => void }

declare global {
  interface Window {
    ChannelIO?: Channel | undefined
  }
}

/** Queues calls until the vendor's script is loaded. */
function channel(scriptUrl: string): Channel {
  if (window.ChannelIO) return window.ChannelIO
  const queue: unknown[][] = []
  const waiting: Channel = (...call) => waiting.c?.(call)
  waiting.q = queue
  waiting.c = (call) => queue.push(call)
  window.ChannelIO = waiting
  const script = document.createElement('script')
  script.async = true
  script.src = scriptUrl
  // Allows another try on the next page.
  script.addEventListener('error', () => {
    script.remove()
    window.ChannelIO = undefined
  })
  document.head.append(script)
  return waiting
}

/** Opens the chat with an identity signed by the server. */
export function bootChat(member: ChatMember, profile: ChatProfile, language: string): void {
  const { pluginKey, memberId, memberHash, scriptUrl } = member
  channel(scriptUrl)('boot', { pluginKey, memberId, memberHash, language, appearance: 'dark', profile })
}

export function updateChat(profile: ChatProfile, language: string): void {
  window.ChannelIO?.('updateUser', { language, profile })
}

/** Ends the conversation on this browser, so that the next user does not see it. */
export function endChat(): void {
  window.ChannelIO?.('shutdown')
}
