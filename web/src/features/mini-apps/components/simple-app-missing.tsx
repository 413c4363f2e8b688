import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useRequireUser } from '@/features/auth'
import { useRequestRequirement } from '@/features/editor'
import type { SimpleApp, User } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import { Button, ButtonLink } from '@/shared/ui/button'
import { Chip } from '@/shared/ui/chip'
import { Icon } from '@/shared/ui/icon'
import { toast } from '@/shared/ui/toast'
import { requirementOf } from '../simple-app-runs'
import styles from './simple-app-missing.module.css'

/** Why a simple app cannot run now, what is missing, and how to ask for it. */
export function SimpleAppMissing({ app, user }: { app: SimpleApp; user: User | null }) {
  const { t } = useTranslation('simpleApps')
  const reason = app.state === 'Unbound' ? 'unbound' : 'waiting'
  const isAdmin = user?.roles.includes('Admin')
  return (
    <section className={styles.notice} aria-label={t(`stopped.${reason}`)}>
      <span className={styles.glyph}>
        <Icon name="clock" size={26} />
      </span>
      <div className={styles.words}>
        <h2>{t(`stopped.${reason}`)}</h2>
        <p>{t(`stoppedText.${reason}`)}</p>
        {app.missing.length > 0 && (
          <>
            <h3>{t('missing')}</h3>
            <ul className={styles.names}>
              {app.missing.map((name) => (
                <MissingRow key={name} name={name} />
              ))}
            </ul>
          </>
        )}
        {isAdmin && (
          <p className={styles.admin}>
            <Icon name="shield" size={18} />
            <span>
              {t(`stoppedAdmin.${reason}`)} <Link to={paths.admin.home()}>{t('workers')}</Link>
              {' · '}
              <Link to={`${paths.admin.generators()}?part=apps`}>{t('bindHere')}</Link>
            </span>
          </p>
        )}
        <div>
          <ButtonLink to={paths.apps()} tone="outline" icon="apps">
            {t('otherApps')}
          </ButtonLink>
        </div>
      </div>
    </section>
  )
}

function MissingRow({ name }: { name: string }) {
  const { t } = useTranslation('nodeEditor')
  const asUser = useRequireUser()
  const request = useRequestRequirement()
  const wanted = requirementOf(name)
  const ask = () =>
    request.mutate(
      { ...wanted, nodes: [], pools: [], isRequested: false },
      {
        onSuccess: () => toast.success(t('requirements.asked', { name: wanted.name })),
        onError: (error) => toast.error(t('requirements.failed', { name: wanted.name }), error),
      },
    )
  return (
    <li>
      <code>{name}</code>
      <Chip>{t(`requirements.kinds.${wanted.kind}`)}</Chip>
      {request.isSuccess ? (
        <Chip tone="good">{t('requirements.requested')}</Chip>
      ) : (
        <Button size="small" tone="outline" busy={request.isPending} onClick={() => asUser(ask)}>
          {t('requirements.ask')}
        </Button>
      )}
    </li>
  )
}
