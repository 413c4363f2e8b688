import { question, words } from '@/shared/lib/question'

/** Who is looked for, and who is open beside the list. */
export const PEOPLE = question({ keyword: words(254), user: words() }, 'user')

export const ADDRESSES = question({ address: words(64) })
