import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { PaymentMethod } from '@/shared/api/types'
import { formatDate } from '@/shared/lib/format'
import { useUrlParams } from '@/shared/lib/url-params'
import { useLastKnown } from '@/shared/lib/use-last-known'
import { Button } from '@/shared/ui/button'
import { Chip } from '@/shared/ui/chip'
import { useConfirm } from '@/shared/ui/dialog'
import { SkeletonRows } from '@/shared/ui/query-list'
import { EmptyState, ErrorState } from '@/shared/ui/states'
import { useResultToasts } from '@/shared/ui/use-result-toasts'
import { methodsQuery, useMakeDefault, useRemoveMethod } from '../methods-api'
import { METHOD_RETURN } from '../methods-model'
import { AddCard } from './add-card'
import styles from './orders.module.css'
import { ReturnedMethod } from './returned-method'

/** The cards of the user. A person who comes back from the window of a provider sees the result first. */
export default function OwnMethods() {
  const { t } = useTranslation('subscription')
  const [{ method }] = useUrlParams(METHOD_RETURN)
  // The address forgets the card when it is saved. The result stays.
  const returned = useLastKnown(method || undefined)
  const { data, isPending, error, refetch } = useQuery(methodsQuery())
  return (
    <>
      {returned && <ReturnedMethod key={returned} id={returned} />}
      <section className={styles.section} aria-labelledby="own-methods">
        <div className={styles.top}>
          <h2 id="own-methods">{t('methods.title')}</h2>
          {data && data.methods.length > 0 && <AddCard tone="plain" />}
        </div>
        {data ? (
          data.methods.length > 0 ? (
            <ul className={styles.section}>
              {data.methods.map((one) => (
                <li key={one._id}>
                  <Method method={one} />
                </li>
              ))}
            </ul>
          ) : (
            <EmptyState
              icon="key"
              title={t('methods.empty')}
              text={t('methods.emptyText')}
              action={<AddCard tone="primary" />}
            />
          )
        ) : isPending ? (
          <SkeletonRows height={96} count={2} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )}
      </section>
    </>
  )
}

function Method({ method }: { method: PaymentMethod }) {
  const { t } = useTranslation('subscription')
  const { t: orders } = useTranslation('orders')
  const { issuer, label, provider, currency, isDefault, createdAt } = method
  const name = t('card.name', { issuer, label })
  return (
    <article className={styles.item} aria-label={name}>
      <div className={styles.top}>
        <p className={styles.name}>{name}</p>
        {isDefault && <Chip tone="good">{t('methods.default')}</Chip>}
      </div>
      <p className={styles.note}>
        {t('methods.facts', { currency, provider: orders(`provider.${provider}`), date: formatDate(createdAt) })}
      </p>
      <div className={styles.actions}>
        {!isDefault && <MakeDefault method={method} name={name} />}
        <Remove method={method} name={name} />
      </div>
      {isDefault && <p className={styles.note}>{t('methods.keepDefault')}</p>}
    </article>
  )
}

type MethodActionProps = { method: PaymentMethod; name: string }

function MakeDefault({ method, name }: MethodActionProps) {
  const { t } = useTranslation('subscription')
  const toasts = useResultToasts()
  const change = useMakeDefault()
  return (
    <Button
      size="small"
      busy={change.isPending}
      aria-label={t('methods.makeDefaultOf', { name })}
      onClick={() =>
        change.mutate(
          method._id,
          toasts(t('card.madeDefault'), (message) => t('methods.failed', { message })),
        )
      }
    >
      {t('methods.makeDefault')}
    </Button>
  )
}

function Remove({ method: { _id, isDefault }, name }: MethodActionProps) {
  const { t } = useTranslation('subscription')
  const confirm = useConfirm()
  const toasts = useResultToasts()
  const remove = useRemoveMethod()
  const ask = async () => {
    const yes = await confirm({
      title: t('methods.removeTitle', { name }),
      text: t('methods.removeText'),
      action: t('methods.remove'),
      danger: true,
    })
    if (!yes) return
    remove.mutate(
      _id,
      toasts(t('methods.removed'), (message) => t('methods.removeFailed', { message })),
    )
  }
  return (
    <Button
      size="small"
      tone="danger"
      icon="trash"
      busy={remove.isPending}
      disabled={isDefault}
      aria-label={t('methods.removeOf', { name })}
      title={isDefault ? t('methods.keepDefault') : undefined}
      onClick={() => void ask()}
    >
      {t('methods.remove')}
    </Button>
  )
}
