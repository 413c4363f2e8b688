import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { PersonLine } from '@/features/moderation'
import type { AuditEntry } from '@/shared/api/types'
import { formatMoment } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { usePersonName } from '@/shared/lib/person-name'
import { Button } from '@/shared/ui/button'
import { Icon } from '@/shared/ui/icon'
import { changes, keyOf, thingOf } from '../model'
import styles from './audit-line.module.css'

type AuditLineProps = { entry: AuditEntry; onAdmin: (id: string) => void; onTarget: (id: string) => void }

export function AuditLine({ entry, onAdmin, onTarget }: AuditLineProps) {
  const { t, i18n } = useTranslation('audit')
  const { admin, person } = entry
  const nameOf = usePersonName()
  return (
    <details className={styles.line}>
      <summary className={styles.head}>
        <Icon name="right" size={16} />
        <span className={styles.action}>{t(`actions.${keyOf(entry.action)}`)}</span>
        <span className={styles.who}>{admin ? nameOf(admin) : t('platform')}</span>
        <span className={styles.actor}>
          {person && <span>{t('whose', { name: nameOf(person) })}</span>} <span>{thingOf(entry)}</span>
        </span>
        <time className={styles.time} dateTime={entry.createdAt}>
          {formatMoment(entry.createdAt, i18n.language)}
        </time>
      </summary>
      <div className={styles.body}>
        <Changes entry={entry} />
        <dl className={styles.facts}>
          {admin && (
            <div>
              <dt>{t('admin')}</dt>
              <dd>
                <PersonLine person={admin} to={paths.admin.people} size={20} />
                <Button size="small" tone="ghost" onClick={() => onAdmin(admin._id)}>
                  {t('onlyAdmin')}
                </Button>
              </dd>
            </div>
          )}
          {person && (
            <div>
              <dt>{t('person')}</dt>
              <dd>
                <PersonLine person={person} to={paths.admin.people} size={20} />
              </dd>
            </div>
          )}
          <div>
            <dt>{t('thing')}</dt>
            <dd>
              <code>{entry.target}</code>
              <Button size="small" tone="ghost" onClick={() => onTarget(entry.target)}>
                {t('onlyTarget')}
              </Button>
            </dd>
          </div>
          {entry.address && (
            <div>
              <dt>{t('address')}</dt>
              <dd>
                <Link className={styles.link} to={paths.admin.addresses(entry.address)}>
                  {entry.address}
                </Link>
              </dd>
            </div>
          )}
          {entry.requestId && (
            <div>
              <dt>{t('request')}</dt>
              <dd>
                <code>{entry.requestId}</code>
              </dd>
            </div>
          )}
        </dl>
      </div>
    </details>
  )
}

function Changes({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation('audit')
  const list = changes(entry.before, entry.after)
  if (list.length === 0) return null
  return (
    <table className={styles.changes}>
      <caption className="visually-hidden">{t('changed')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('field')}</th>
          <th scope="col">{t('before')}</th>
          <th scope="col">{t('after')}</th>
        </tr>
      </thead>
      <tbody>
        {list.map((change) => (
          <tr key={change.field}>
            <th scope="row">{change.field || t('value')}</th>
            <td className={styles.before}>{change.before || t('nothing')}</td>
            <td>{change.after || t('nothing')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
