import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { CalendarDay } from '@/shared/api/types'
import { classNames } from '@/shared/lib/class-names'
import { useMedia, WIDE } from '@/shared/lib/use-media'
import { dayName, isBusy, weekdays, weeksOf } from '../calendar-model'
import { formatMoney } from '../orders-model'
import styles from './calendar.module.css'

type CalendarProps = {
  days: CalendarDay[]
  /** The open day, or empty. */
  chosen: string
  linkTo: (day: string) => string
}

/** The days of a month with their charges: a grid where there is room, else the days on which something happens. */
export function ChargeCalendar(props: CalendarProps) {
  const isWide = useMedia(WIDE)
  return isWide ? <Grid {...props} /> : <List {...props} />
}

function Grid({ days, ...rest }: CalendarProps) {
  const { i18n } = useTranslation()
  return (
    <table className={styles.grid} aria-labelledby="month">
      <thead>
        <tr>
          {weekdays(i18n.language).map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(days).map((week, index) => (
          <tr key={week.find((day) => day)?.day ?? index}>
            {week.map((day, place) =>
              day ? (
                <td key={day.day}>
                  <Day day={day} {...rest} />
                </td>
              ) : (
                // biome-ignore lint/suspicious/noArrayIndexKey: an empty cell is its place.
                <td key={place} />
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function List({ days, chosen, linkTo }: CalendarProps) {
  const { t } = useTranslation('subscription')
  const busy = days.filter((day) => isBusy(day) || day.day === chosen)
  if (busy.length === 0) return <p className={styles.none}>{t('calendar.none')}</p>
  return (
    <ul className={styles.days} aria-labelledby="month">
      {busy.map((day) => (
        <li key={day.day}>
          <Day day={day} chosen={chosen} linkTo={linkTo} isWritten />
        </li>
      ))}
    </ul>
  )
}

type DayProps = Omit<CalendarProps, 'days'> & {
  day: CalendarDay
  /** Shows the date in words, where no grid says which day it is. */
  isWritten?: boolean
}

/** A day opens the list of its subscriptions. */
function Day({ day, chosen, linkTo, isWritten = false }: DayProps) {
  const { t, i18n } = useTranslation('subscription')
  const name = dayName(day.day, i18n.language)
  const isChosen = day.day === chosen
  const sums = (kind: 'planned' | 'paid') =>
    day[kind].map(({ currency, count, amount }) => ({
      key: `${kind} ${currency}`,
      kind,
      words: t(`calendar.${kind}`, { count, sum: formatMoney(amount, currency, i18n.language) }),
    }))
  return (
    <Link
      to={linkTo(isChosen ? '' : day.day)}
      replace
      preventScrollReset
      className={classNames(styles.day, isChosen && styles.chosen)}
      aria-current={isChosen ? 'date' : undefined}
    >
      <time dateTime={day.day}>
        {isWritten ? (
          name
        ) : (
          <>
            <span aria-hidden="true">{Number(day.day.slice(8))}</span>
            <span className="visually-hidden">{name}</span>
          </>
        )}
      </time>
      {[...sums('planned'), ...sums('paid')].map(({ key, kind, words }) => (
        <span key={key} className={styles[kind]}>
          {words}
        </span>
      ))}
      {day.failed > 0 && <span className={styles.failed}>{t('calendar.failed', { count: day.failed })}</span>}
    </Link>
  )
}
