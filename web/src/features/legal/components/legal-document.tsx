import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Language, Operator } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import { Page } from '@/shared/ui/page'
import { ErrorState, Skeleton } from '@/shared/ui/states'
import { legalTextQuery, operatorQuery } from '../api'
import { type Block, type LegalName, type LegalSection, sectionsFor } from '../model'
import styles from './legal-document.module.css'

export function LegalDocument({ name }: { name: LegalName }) {
  const { t, i18n } = useTranslation('legal')
  const text = useQuery(legalTextQuery(name, i18n.language as Language))
  const operator = useQuery(operatorQuery())
  const failed = [text, operator].find((query) => query.isError && !query.data)
  const again = () => {
    for (const query of [text, operator]) if (query.isError) void query.refetch()
  }
  return (
    <Page title={t(`${name}.title`)} lead={t(`${name}.lead`)} narrow>
      {failed ? (
        <ErrorState error={failed.error} onRetry={again} />
      ) : text.data && operator.data ? (
        <Sections name={name} sections={sectionsFor(text.data, operator.data)} operator={operator.data} />
      ) : (
        <Waiting />
      )}
    </Page>
  )
}

type SectionsProps = { name: LegalName; sections: LegalSection[]; operator: Operator }

function Sections({ name, sections, operator }: SectionsProps) {
  const { t } = useTranslation('legal')
  const other = name === 'terms' ? 'privacy' : 'terms'
  return (
    <>
      <p className={styles.version}>
        {t('version')} <time dateTime={operator.termsVersion}>{operator.termsVersion.replaceAll('-', '.')}</time>
      </p>
      <nav className={styles.contents} aria-label={t('contents')}>
        <ol>
          {sections.map((section) => (
            <li key={section.id}>
              <a href={`#${section.id}`}>{section.title}</a>
            </li>
          ))}
          <li>
            <a href="#contact">{t('contact.title')}</a>
          </li>
        </ol>
      </nav>
      <article className={styles.text}>
        {sections.map((section) => (
          <section key={section.id} id={section.id}>
            <h2>{section.title}</h2>
            {section.body.map((block) => (
              <Words key={typeof block === 'string' ? block : block[0]} block={block} />
            ))}
          </section>
        ))}
        <section id="contact">
          <h2>{t('contact.title')}</h2>
          <p>{t(operator.email ? 'contact.text' : 'contact.nobody', { name: operator.name })}</p>
          {operator.email && (
            <p>
              <a href={`mailto:${operator.email}`}>{operator.email}</a>
            </p>
          )}
          <p>
            {t('alsoRead')} <Link to={paths[other]()}>{t(`${other}.title`)}</Link>
          </p>
        </section>
      </article>
    </>
  )
}

function Words({ block }: { block: Block }) {
  if (typeof block === 'string') return <p>{block}</p>
  return (
    <ul>
      {block.map((point) => (
        <li key={point}>{point}</li>
      ))}
    </ul>
  )
}

function Waiting() {
  return (
    <div className={styles.text} aria-busy="true">
      {['a', 'b', 'c'].map((key) => (
        <section key={key}>
          <Skeleton style={{ height: 22, width: '40%' }} />
          <Skeleton style={{ height: 84 }} />
        </section>
      ))}
    </div>
  )
}
