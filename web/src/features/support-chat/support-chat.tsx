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
 * The support chat of whoever is signed in, where this installation offers one. Nothing of it is asked for before the
 * page has come to rest, and nothing at all for guests.
 */
export default function SupportChat() {
  const user = useUser()
  const calm = useCalm()
  const member = useQuery({ ...chatQuery(user?._id ?? ''), enabled: Boolean(user) && calm }).data
  if (!user || !member) return null
  return <Conversation key={user._id} member={member} profile={profileOf(user)} />
}

function Conversation({ member, profile }: { member: ChatMember; profile: ChatProfile }) {
  const { i18n } = useTranslation()
  const { language } = i18n
  const words = JSON.stringify(profile)
  const told = useRef<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `words` stands for the profile, which is made anew each time.
  useEffect(() => {
    if (told.current === words + language) return
    if (told.current === null) bootChat(member, profile, language)
    else updateChat(profile, language)
    told.current = words + language
  }, [member, words, language])
  useEffect(
    () => () => {
      told.current = null
      endChat()
    },
    [],
  )
  return null
}

/** Whether the browser has had nothing to do once. */
function useCalm(): boolean {
  const [calm, setCalm] = useState(false)
  useEffect(() => {
    const rest = () => setCalm(true)
    // Safari has no such callback.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(rest, 2000)
      return () => clearTimeout(timer)
    }
    const waiting = requestIdleCallback(rest, { timeout: 5000 })
    return () => cancelIdleCallback(waiting)
  }, [])
  return calm
}
