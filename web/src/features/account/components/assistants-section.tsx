import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '@/shared/ui/copy-button'
import styles from '../pages/account-page.module.css'

/** The configuration that most assistants read. `key` is that of the account. */
const configuration = (address: string, key: string) =>
  JSON.stringify(
    { mcpServers: { verdigraph: { type: 'http', url: address, headers: { Authorization: `Bearer ${key}` } } } },
    null,
    2,
  )

/** How assistants connect to this server. */
export function AssistantsSection() {
  const { t } = useTranslation('account')
  const id = useId()
  const address = `${window.location.origin}/mcp`
  const text = configuration(address, 'vg_…')
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id}>{t('keys.assistants.title')}</h2>
      <p>{t('keys.assistants.lead')}</p>
      <div className={styles.item}>
        <div>
          <p className={styles.itemName}>{t('keys.assistants.address')}</p>
          <p className={styles.note}>
            <code>{address}</code>
          </p>
        </div>
        <CopyButton text={address} label={t('keys.assistants.copyAddress')} />
      </div>
      <div className={styles.item}>
        <div>
          <p className={styles.itemName}>{t('keys.assistants.configuration')}</p>
          <p className={styles.note}>{t('keys.assistants.hint')}</p>
        </div>
        <CopyButton text={text} label={t('keys.assistants.copyConfiguration')} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be focusable. */}
        <pre className={styles.code} tabIndex={0}>
          {text}
        </pre>
      </div>
    </section>
  )
}
