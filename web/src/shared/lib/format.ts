/** `950`, `1.2K`, `99K+`: counts on cards. */
export function formatCount(count: number): string {
  if (count < 1000) return String(count)
  if (count > 99_999) return '99K+'
  return `${(Math.floor(count / 100) / 10).toFixed(1)}K`
}

export const formatNumber = (value: number, language: string) => new Intl.NumberFormat(language).format(value)

/**
 * `1h 2m 3s`, with units in the page's language. Below ten seconds it keeps one decimal, because many jobs are that
 * short. A positive duration is never shown as zero.
 */
export function formatDuration(milliseconds: number): string {
  const [h, m, s, ms] = document.documentElement.lang === 'ko' ? ['시간', '분', '초', '밀리초'] : ['h', 'm', 's', 'ms']
  if (milliseconds > 0 && milliseconds < 50) return `${Math.max(Math.round(milliseconds), 1)}${ms}`
  const seconds = milliseconds / 1000
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.floor(seconds)}${s}`
  const whole = Math.floor(seconds)
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  return [hours ? `${hours}${h}` : '', `${minutes}${m}`, `${whole % 60}${s}`].filter(Boolean).join(' ')
}

/** Bytes in base 1000. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${unit === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`
}

/** `2024.05.07` */
export function formatDate(iso: string): string {
  const date = new Date(iso)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${date.getFullYear()}.${two(date.getMonth() + 1)}.${two(date.getDate())}`
}

/** `2024.05.07`: a day that is stored as its start in UTC, so it is the same in every time zone. */
export const formatUtcDay = (iso: string): string => new Date(iso).toISOString().slice(0, 10).replaceAll('-', '.')

/** `2024.05.07 00:00`: a time of the accounts, which are kept in UTC. */
export function formatUtc(iso: string): string {
  return `${formatUtcDay(iso)} ${new Date(iso).toISOString().slice(11, 16)}`
}

/** A date with time in the format of the language. */
export const formatMoment = (iso: string, language: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso))

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** Cached per language: creating a formatter is a hundred times slower than using it. */
const relatives = new Map<string, Intl.RelativeTimeFormat>()

function relativeIn(language: string): Intl.RelativeTimeFormat {
  const known = relatives.get(language) ?? new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  relatives.set(language, known)
  return known
}

/** "3 minutes ago" up to months; a date beyond a year. */
export function formatRelative(iso: string, language: string, now: number = Date.now()): string {
  const seconds = (new Date(iso).getTime() - now) / 1000
  if (Math.abs(seconds) >= 31_536_000) return formatDate(iso)
  const relative = relativeIn(language)
  for (const [unit, size] of STEPS) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit)
  }
  return relative.format(Math.trunc(seconds), 'second')
}

/** `YYYYMMDD_HHmmss`, the name of downloaded files. */
export function timestampName(date: Date = new Date()): string {
  const two = (n: number) => String(n).padStart(2, '0')
  const day = `${date.getFullYear()}${two(date.getMonth() + 1)}${two(date.getDate())}`
  return `${day}_${two(date.getHours())}${two(date.getMinutes())}${two(date.getSeconds())}`
}
