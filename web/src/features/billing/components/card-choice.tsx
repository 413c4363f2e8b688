import { useTranslation } from 'react-i18next'
import type { PaymentMethod } from '@/shared/api/types'
import { Button } from '@/shared/ui/button'
import { SelectField } from '@/shared/ui/select'
import { useResultToasts } from '@/shared/ui/use-result-toasts'
import { useMakeDefault } from '../methods-api'
import styles from './shop.module.css'

type CardChoiceProps = {
  /** The cards that can be charged, the one that is charged first. */
  methods: PaymentMethod[]
  isBusy: boolean
  onOther: () => void
}

/** The card that is charged. Another one becomes the default, which the server charges. */
export function CardChoice({ methods, isBusy, onOther }: CardChoiceProps) {
  const { t } = useTranslation('subscription')
  const toasts = useResultToasts()
  const change = useMakeDefault()
  const [card] = methods
  if (!card) return <p className={styles.muted}>{t('card.needed')}</p>
  return (
    <div className={styles.card}>
      {methods.length > 1 ? (
        <SelectField
          label={t('card.charged')}
          value={change.isPending ? change.variables : card._id}
          disabled={change.isPending}
          onChange={({ target }) => change.mutate(target.value, toasts(t('card.madeDefault')))}
        >
          {methods.map(({ _id, issuer, label }) => (
            <option key={_id} value={_id}>
              {t('card.name', { issuer, label })}
            </option>
          ))}
        </SelectField>
      ) : (
        <dl className={styles.facts}>
          <div>
            <dt>{t('card.charged')}</dt>
            <dd>{t('card.name', { issuer: card.issuer, label: card.label })}</dd>
          </div>
        </dl>
      )}
      <Button size="small" tone="outline" busy={isBusy} onClick={onOther}>
        {t('card.other')}
      </Button>
    </div>
  )
}
