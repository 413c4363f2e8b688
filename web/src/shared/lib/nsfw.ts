import { useSyncExternalStore } from 'react'
import { local } from './storage'

/** The specification's visibility filter. */
export type NsfwFilter = 'View' | 'Hide' | 'Only'

/**
 * What this browser does with what is not safe for work: leave it out, blur it until it is asked for, show it, or show
 * nothing else.
 */
export const NSFW_CHOICES = ['hide', 'blur', 'show', 'only'] as const
export type NsfwChoice = (typeof NSFW_CHOICES)[number]

const KEY = 'vg.nsfw'
const listeners = new Set<() => void>()

const subscribe = (changed: () => void) => {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

/** The choice of this browser as it is now; blurred where nobody chose. */
export const nsfwChoice = (): NsfwChoice => NSFW_CHOICES.find((choice) => choice === local.get(KEY)) ?? 'blur'

/** The same, followed. */
export const useNsfwChoice = (): NsfwChoice => useSyncExternalStore(subscribe, nsfwChoice)

export function chooseNsfw(choice: NsfwChoice): void {
  local.set(KEY, choice)
  for (const changed of listeners) changed()
}

/** What lists are asked for. */
export const nsfwFilter = (choice: NsfwChoice): NsfwFilter => FILTERS[choice]

const FILTERS: Record<NsfwChoice, NsfwFilter> = { hide: 'Hide', blur: 'View', show: 'View', only: 'Only' }

/** Whether sensitive pictures are blurred until somebody asks for them. */
export const isVeiling = (choice: NsfwChoice): boolean => choice !== 'show' && choice !== 'only'
