import type { ChatMember } from '@/shared/api/types'

/** What the chat is told about a person, beside who it is. */
export type ChatProfile = { name: string; nameTag: string; email: string; plan: string; avatarUrl?: string }

type Channel = ((...call: unknown[]) => void) & { q?: unknown[][]; c?: (call: unknown[]) => void }

declare global {
  interface Window {
    ChannelIO?: Channel | undefined
  }
}

/** Calls wait in a queue until the script is there and takes them over. */
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
  // What does not come may be tried again on the next page.
  script.addEventListener('error', () => {
    script.remove()
    window.ChannelIO = undefined
  })
  document.head.append(script)
  return waiting
}

/** Opens the chat as a person, whom the server has signed. */
export function bootChat(member: ChatMember, profile: ChatProfile, language: string): void {
  const { pluginKey, memberId, memberHash, scriptUrl } = member
  channel(scriptUrl)('boot', { pluginKey, memberId, memberHash, language, appearance: 'dark', profile })
}

/** Tells the chat what has changed about the person. */
export function updateChat(profile: ChatProfile, language: string): void {
  window.ChannelIO?.('updateUser', { language, profile })
}

/** Ends the conversation on this browser: whoever comes next must not see it. */
export function endChat(): void {
  window.ChannelIO?.('shutdown')
}
