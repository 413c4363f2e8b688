import { useTranslation } from 'react-i18next'
import type { Currency } from '@/shared/api/types'
import { formatMoney } from '../orders-model'
import type { RevenueBar } from '../revenue-model'
import styles from './revenue.module.css'

type RevenueChartProps = { bars: RevenueBar[]; currency: Currency; nameOf: (period: string) => string }

/** The width of a period and the height of the chart, in the units of the drawing. */
const PERIOD = 10
const HEIGHT = 100

/** Bars of what was paid and paid back in one currency. The table has the same numbers. */
export function RevenueChart({ bars, currency, nameOf }: RevenueChartProps) {
  const { t, i18n } = useTranslation('revenue')
  const money = (amount: number) => formatMoney(amount, currency, i18n.language)
  const sum = (key: 'paid' | 'refunded') => bars.reduce((all, bar) => all + bar[key], 0)
  const most = Math.max(1, ...bars.flatMap(({ paid, refunded }) => [paid, refunded]))
  const height = (amount: number) => (amount / most) * HEIGHT
  const [first, last] = [bars[0], bars.at(-1)]
  if (!first || !last) return null
  const [from, until] = [nameOf(first.period), nameOf(last.period)]
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.caption}>
        <span className={styles.subtitle}>{t('chart.title', { currency })}</span>
        <span className={styles.legend}>
          <span className={styles.paidKey}>{t('paid')}</span>
          <span className={styles.refundedKey}>{t('refunded')}</span>
        </span>
      </figcaption>
      <p className={styles.most} aria-hidden="true">
        {money(most)}
      </p>
      <svg
        className={styles.bars}
        role="img"
        aria-label={t('chart.words', { paid: money(sum('paid')), refunded: money(sum('refunded')), from, until })}
        viewBox={`0 0 ${bars.length * PERIOD} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        {bars.map(({ period, paid, refunded }, place) => (
          <g key={period}>
            <title>{t('chart.bar', { period: nameOf(period), paid: money(paid), refunded: money(refunded) })}</title>
            {/* The whole period shows the title. */}
            <rect className={styles.ground} x={place * PERIOD} y={0} width={PERIOD} height={HEIGHT} />
            <rect
              className={styles.paid}
              x={place * PERIOD + 1}
              y={HEIGHT - height(paid)}
              width={4}
              height={height(paid)}
            />
            <rect
              className={styles.refunded}
              x={place * PERIOD + 5}
              y={HEIGHT - height(refunded)}
              width={4}
              height={height(refunded)}
            />
          </g>
        ))}
      </svg>
      <p className={styles.ends} aria-hidden="true">
        <span>{from}</span>
        {first !== last && <span>{until}</span>}
      </p>
    </figure>
  )
}
