import { type RefObject, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Quote } from '@/shared/api/types'
import { Button } from '@/shared/ui/button'
import { TextField } from '@/shared/ui/field'
import { Segments } from '@/shared/ui/segments'
import type { RunTerms } from '../api'
import { nextTime } from '../next-time'
import PriceLine from './price-line'
import styles from './run-when.module.css'

type RunWhenProps = {
  quote: Quote
  /** Takes the chosen terms, which are read when a run starts. */
  when: RefObject<(() => RunTerms) | null>
}

/** The choice between a run now and a cheaper one later, with an optional time by which it is ready. Closed it is one line. */
export default function RunWhen({ quote, when }: RunWhenProps) {
  const { t } = useTranslation('appUse')
  const [isOpen, setIsOpen] = useState(false)
  const [choice, setChoice] = useState<'now' | 'later'>('now')
  const [time, setTime] = useState('')
  useEffect(() => {
    when.current = () => (choice === 'now' ? {} : { priceClass: 'flex', ...(time && { deadline: nextTime(time) }) })
    return () => {
      when.current = null
    }
  }, [when, choice, time])
  const { expected, flex } = quote
  const now = expected ? t('when.nowFor', { count: expected.credits }) : t('when.now')
  const later = flex.expected
    ? t('when.laterFor', { count: flex.expected.credits })
    : t('when.later', { percent: 100 - flex.percent })
  return (
    <div className={styles.when}>
      <Button size="small" tone="ghost" icon="clock" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {`${t('when.label')}: ${choice === 'now' ? now : [later, time].filter(Boolean).join(' · ')}`}
      </Button>
      {isOpen && (
        <Segments
          label={t('when.label')}
          options={[
            { key: 'now', title: now },
            { key: 'later', title: later },
          ]}
          value={choice}
          onChange={setChoice}
        />
      )}
      {isOpen && choice === 'later' && (
        <TextField
          type="time"
          label={t('when.readyBy')}
          help={t('when.help')}
          value={time}
          onChange={(event) => setTime(event.target.value)}
        />
      )}
      <PriceLine quote={{ data: choice === 'now' ? quote : asFlex(quote), error: null }} />
    </div>
  )
}

/** The quote of the class flex. When such a run starts is not known. */
const asFlex = ({ flex: { percent, ...price }, ...quote }: Quote): Quote => ({
  ...quote,
  ...price,
  creditsPerSecond: (quote.creditsPerSecond * percent) / 100,
  etaSeconds: null,
  flex: { percent, ...price },
})
