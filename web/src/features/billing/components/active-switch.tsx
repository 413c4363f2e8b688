import { useTranslation } from 'react-i18next'
import { Switch } from '@/shared/ui/switch'
import { useResultToasts } from '@/shared/ui/use-result-toasts'
import styles from './coupons.module.css'

type ActiveSwitchProps = {
  thing: { name: string; isActive: boolean }
  change: {
    isPending: boolean
    mutate: (patch: { isActive: boolean }, done: ReturnType<ReturnType<typeof useResultToasts>>) => void
  }
  /** The messages after the change. */
  done: (isActive: boolean) => string
  failed: (message: string) => string
}

/** Makes a coupon, a promotion or an item active or inactive. */
export function ActiveSwitch({ thing: { name, isActive }, change, done, failed }: ActiveSwitchProps) {
  const { t } = useTranslation('coupons')
  const toasts = useResultToasts()
  const set = (on: boolean) => change.mutate({ isActive: on }, toasts(done(on), failed))
  return (
    <Switch
      className={styles.switch}
      checked={isActive}
      aria-label={t('list.activeOf', { name })}
      aria-busy={change.isPending}
      onChange={set}
    >
      {t(isActive ? 'list.states.active' : 'list.states.inactive')}
    </Switch>
  )
}
