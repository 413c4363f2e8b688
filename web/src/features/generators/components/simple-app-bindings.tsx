import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { simpleAppsQuery } from '@/features/mini-apps'
import type { SimpleApp, SimpleAppBinding } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { useForm } from '@/shared/lib/use-form'
import { Button, ButtonLink } from '@/shared/ui/button'
import { Chip, type ChipTone } from '@/shared/ui/chip'
import { TextField } from '@/shared/ui/field'
import { SkeletonRows } from '@/shared/ui/query-list'
import { ErrorState } from '@/shared/ui/states'
import { toast } from '@/shared/ui/toast'
import { bindingsQuery, useBindSimpleApp, useUnbindSimpleApp } from '../api'
import { appIdOf } from '../model'
import styles from './simple-app-bindings.module.css'

const TONES = { Ready: 'live', Waiting: 'warn', Unbound: 'plain' } as const satisfies Record<
  SimpleApp['state'],
  ChipTone
>

/** Which mini app each simple app shows, and a form that binds another one. */
export function SimpleAppBindings() {
  const { t } = useTranslation('generators')
  const bindings = useQuery(bindingsQuery())
  const apps = useQuery(simpleAppsQuery()).data ?? []
  if (bindings.isPending) return <SkeletonRows height={120} count={3} />
  if (!bindings.data) return <ErrorState error={bindings.error} onRetry={() => void bindings.refetch()} />
  return (
    <>
      <p className={styles.by}>{t('bindings.lead')}</p>
      <ul className={styles.list}>
        {bindings.data.map((binding) => (
          <Binding
            key={binding.address}
            binding={binding}
            app={apps.find(({ address }) => address === binding.address)}
          />
        ))}
      </ul>
    </>
  )
}

type BindingProps = { binding: SimpleAppBinding; app: SimpleApp | undefined }

function Binding({ binding: { address, workflowApi, configured }, app }: BindingProps) {
  const { t, i18n } = useTranslation('generators')
  const { t: simple } = useTranslation('simpleApps')
  const text = useProblemText()
  const bind = useBindSimpleApp()
  const unbind = useUnbindSimpleApp()
  const field = useRef<HTMLInputElement>(null)
  const name = simple(`apps.${address}.name`)
  const form = useForm({
    start: { app: '' },
    check: ({ app }) => ({ app: appIdOf(app) ? undefined : t('bindings.noAddress') }),
    send: (values) => {
      const id = appIdOf(values.app)
      if (!id) return
      bind.mutate(
        { address, workflowApi: id },
        {
          onSuccess: () => {
            form.reset()
            toast.success(t('bindings.bound', { name }))
          },
        },
      )
    },
    error: bind.error,
    refused: (error) => ({ app: text(error) }),
  })
  const remove = () =>
    unbind.mutate(address, {
      onSuccess: () => {
        // The button goes away; its focus would be lost.
        field.current?.focus({ preventScroll: true })
        toast.success(t('bindings.unbound', { name }))
      },
      onError: (error) => toast.error(text(error), error),
    })
  const shown = (i18n.language === 'ko' && app?.nameKo) || app?.name
  const by = workflowApi ? 'admin' : configured ? 'config' : 'generators'
  return (
    <li className={styles.app}>
      <div className={styles.head}>
        <h2>{name}</h2>
        {app && <Chip tone={TONES[app.state]}>{t(`bindings.states.${app.state}`)}</Chip>}
        {app?.workflowApi && <Link to={paths.miniApp(app.workflowApi)}>{shown}</Link>}
        {/* Without an app nothing has chosen one. */}
        {(by !== 'generators' || (app && app.state !== 'Unbound')) && (
          <span className={styles.by}>{t(`bindings.by.${by}`)}</span>
        )}
      </div>
      <form {...form.form} className={styles.form}>
        <TextField
          ref={field}
          label={t('bindings.field', { name })}
          maxLength={300}
          help={t('bindings.help')}
          {...form.field('app')}
        />
        <Button type="submit" tone="primary" busy={bind.isPending} aria-label={t('bindings.bindOf', { name })}>
          {t('bindings.bind')}
        </Button>
        {workflowApi && (
          <Button busy={unbind.isPending} aria-label={t('bindings.unbindOf', { name })} onClick={remove}>
            {t('bindings.unbind')}
          </Button>
        )}
        <ButtonLink tone="ghost" to={paths.simpleApp(address)}>
          {t('bindings.open')}
        </ButtonLink>
      </form>
    </li>
  )
}
