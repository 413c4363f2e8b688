import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useUser } from '@/features/auth'
import { api, data } from '@/shared/api/client'
import { keys } from '@/shared/api/keys'
import type { ChatMember, User } from '@/shared/api/types'
import { bootChat, type ChatProfile, endChat, updateChat } from './channel'

const chatQuery = (userId: string) =>
  queryOptions({
    queryKey: [...keys.supportChat, userId] as const,
    queryFn: async ({ signal }): Promise<ChatMember | null> =>
      (await data(api.GET('/api/auth/me/chat', { signal }))).member ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  })

const profileOf = (user: User): ChatProfile => ({
  name: user.name,
  nameTag: user.nameTag,
  email: user.email,
  plan: user.subscriptions[0]?.name ?? 'Free',
  ...(user.profile && {
    avatarUrl: new URL(user.profile.thumbnailUrl ?? user.profile.url, window.location.origin).href,
  }),
})

/**
 * The support chat for signed-in users, if the installation offers one. Loads nothing before the page is idle, and
 * nothing for guests.
 */
export default function SupportChat() {
  const user = useUser()
  const calm = useIdle()
  const member = useQuery({ ...chatQuery(user?._id ?? ''), enabled: Boolean(user) && calm }).data
  if (!user || !member) return null
  return <Conversation key={user._id} member={member} profile={profileOf(user)} />
}

function Conversation({ member, profile }: { member: ChatMember; profile: ChatProfile }) {
  const { i18n } = useTranslation()
  const { language } = i18n
  const words = JSON.stringify(profile)
  const sent = useRef<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `words` stands for the profile, a new object each time.
  useEffect(() => {
    if (sent.current === words + language) return
    if (sent.current === null) bootChat(member, profile, language)
    else updateChat(profile, language)
    sent.current = words + language
  }, [member, words, language])
  useEffect(
    () => () => {
      sent.current = null
      endChat()
    },
    [],
  )
  return null
}

function useIdle(): boolean {
  const [calm, setCalm] = useState(false)
  useEffect(() => {
    const rest = () => setCalm(true)
    // Safari lacks requestIdleCallback.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(rest, 2000)
      return () => clearTimeout(timer)
    }
    const waiting = requestIdleCallback(rest, { timeout: 5000 })
    return () => cancelIdleCallback(waiting)
  }, [])
  return calm
}
