import { useSyncExternalStore } from 'react'
import { local } from './storage'

/** The specification's visibility filter. */
export type NsfwFilter = 'View' | 'Hide' | 'Only'

/** How this browser shows NSFW content: not at all, blurred until revealed, as it is, or exclusively. */
export const NSFW_CHOICES = ['hide', 'blur', 'show', 'only'] as const
export type NsfwChoice = (typeof NSFW_CHOICES)[number]

const KEY = 'vg.nsfw'
const listeners = new Set<() => void>()

const subscribe = (changed: () => void) => {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

/** The current choice; `blur` by default. */
export const nsfwChoice = (): NsfwChoice => NSFW_CHOICES.find((choice) => choice === local.get(KEY)) ?? 'blur'

export const useNsfwChoice = (): NsfwChoice => useSyncExternalStore(subscribe, nsfwChoice)

export function chooseNsfw(choice: NsfwChoice): void {
  local.set(KEY, choice)
  for (const changed of listeners) changed()
}

/** The filter that lists are requested with. */
export const nsfwFilter = (choice: NsfwChoice): NsfwFilter => FILTERS[choice]

const FILTERS: Record<NsfwChoice, NsfwFilter> = { hide: 'Hide', blur: 'View', show: 'View', only: 'Only' }

/** Whether NSFW pictures are blurred until revealed. */
export const hidesNsfw = (choice: NsfwChoice): boolean => choice !== 'show' && choice !== 'only'
