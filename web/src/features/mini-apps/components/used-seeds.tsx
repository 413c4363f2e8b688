import { useTranslation } from 'react-i18next'
import type { Seeds } from '@/shared/api/types'
import { Button } from '@/shared/ui/button'
import type { ReadForm } from '@/shared/ui/schema-form/read-form'
import styles from '../pages/mini-app-page.module.css'

type UsedSeedsProps = {
  form: ReadForm
  seeds: Seeds
  disabled: boolean
  onKeep: (field: string, seed: number | string) => void
}

/** The seeds that the shown job used, each with a button that keeps it for the next run. */
export default function UsedSeeds({ form, seeds, disabled, onKeep }: UsedSeedsProps) {
  const { t } = useTranslation('jobs')
  const known = form.fields.filter((field) => field.widget === 'seed' && seeds[field.name] !== undefined)
  if (known.length === 0) return null
  return (
    <div className={styles.seeds}>
      {known.map(({ name }) => {
        const seed = seeds[name] ?? 0
        return (
          <span key={name} className={styles.seeds}>
            {t('display.seedUsed', { seed })}
            <Button size="small" tone="outline" icon="pin" disabled={disabled} onClick={() => onKeep(name, seed)}>
              {t('display.keepSeed')}
            </Button>
          </span>
        )
      })}
    </div>
  )
}
