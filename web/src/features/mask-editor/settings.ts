import { local } from '@/shared/lib/storage'

export type Settings = {
  size: number
  opacity: number
  hardness: number
  smoothing: number
  tolerance: number
  layerOpacity: number
}

/** Range and default of each setting. */
export const LIMITS = {
  size: { min: 1, max: 200, step: 1, first: 50 },
  opacity: { min: 0, max: 1, step: 0.01, first: 1 },
  hardness: { min: 0, max: 1, step: 0.01, first: 1 },
  smoothing: { min: 1, max: 100, step: 1, first: 100 },
  tolerance: { min: 0, max: 100, step: 1, first: 32 },
  layerOpacity: { min: 0, max: 1, step: 0.01, first: 1 },
} as const satisfies Record<keyof Settings, object>

/** Step of `[` and `]`. */
export const SIZE_STEP = 5
const KEPT = 'vg.mask'
export const NAMES = Object.keys(LIMITS) as (keyof Settings)[]

export function within(name: keyof Settings, value: unknown): number {
  const { min, max, first } = LIMITS[name]
  return typeof value === 'number' && Number.isFinite(value) ? Math.min(max, Math.max(min, value)) : first
}

export function readSettings(): Settings {
  const kept = local.getJson<Partial<Settings>>(KEPT)
  return Object.fromEntries(NAMES.map((name) => [name, within(name, kept?.[name])])) as Settings
}

export const writeSettings = (settings: Settings): void => local.set(KEPT, JSON.stringify(settings))
