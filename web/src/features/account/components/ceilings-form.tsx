import { useTranslation } from 'react-i18next'
import type { Balance, Ceilings } from '@/shared/api/types'
import { formatNumber } from '@/shared/lib/format'
import { useForm } from '@/shared/lib/use-form'
import { Button } from '@/shared/ui/button'
import { TextField } from '@/shared/ui/field'
import { useResultToasts } from '@/shared/ui/use-result-toasts'
import { useSetCeilings } from '../api'
import { ceilingOf, MAX_CEILING } from '../model'
import styles from '../pages/account-page.module.css'

const FIELDS = ['perRun', 'perDay'] as const
const textOf = (ceiling: number | null | undefined) => (ceiling ? String(ceiling) : '')

/** The most credits that the user wants to spend on a run and on a day. An empty field is no ceiling. */
export function CeilingsForm({ balance: { ceilings, spentToday } }: { balance: Balance }) {
  const { t, i18n } = useTranslation('account')
  const { t: common } = useTranslation()
  const toasts = useResultToasts()
  const set = useSetCeilings()
  const kept = { perRun: textOf(ceilings.perRun), perDay: textOf(ceilings.perDay) }
  const number = (value: number) => formatNumber(value, i18n.language)
  const form = useForm({
    start: kept,
    check: (values) =>
      Object.fromEntries(
        FIELDS.map((name) => [
          name,
          ceilingOf(values[name]) === undefined
            ? t('credits.ceilings.invalid', { most: number(MAX_CEILING) })
            : undefined,
        ]),
      ),
    send: (values) => {
      const [perRun, perDay] = FIELDS.map((name) => ceilingOf(values[name]) ?? null)
      set.mutate(
        { perRun, perDay } as Ceilings,
        toasts(t('credits.ceilings.saved'), (message) => t('credits.ceilings.failed', { message })),
      )
    },
  })
  const isSame = FIELDS.every((name) => ceilingOf(form.values[name]) === (ceilings[name] ?? null))
  return (
    <section className={styles.section}>
      <h2>{t('credits.ceilings.title')}</h2>
      <p className={styles.note}>{t('credits.ceilings.lead')}</p>
      <form {...form.form} className={styles.ceilings}>
        <TextField
          label={t('credits.ceilings.perRun')}
          help={t('credits.ceilings.perRunHint')}
          placeholder={t('credits.ceilings.none')}
          inputMode="numeric"
          {...form.field('perRun')}
        />
        <TextField
          label={t('credits.ceilings.perDay')}
          help={t('credits.ceilings.perDayHint', { spent: number(spentToday) })}
          placeholder={t('credits.ceilings.none')}
          inputMode="numeric"
          {...form.field('perDay')}
        />
        <Button type="submit" busy={set.isPending} disabled={isSame}>
          {common('save')}
        </Button>
      </form>
    </section>
  )
}
