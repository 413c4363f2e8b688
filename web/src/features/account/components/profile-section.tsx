import { type SyntheticEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { nameProblem, useRename, useSaveLanguage } from '@/features/auth'
import type { User } from '@/shared/api/types'
import { formatDate } from '@/shared/lib/format'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button } from '@/shared/ui/button'
import { Chip } from '@/shared/ui/chip'
import { fieldClasses, TextField } from '@/shared/ui/field'
import { Segments } from '@/shared/ui/segments'
import { useToast } from '@/shared/ui/toast'
import styles from '../pages/account-page.module.css'
import { Portrait } from './portrait'
import { Section } from './section'

/** Who the person is: picture, name, language, and what is known of them. */
export function ProfileSection({ user }: { user: User }) {
  const { t } = useTranslation('account')
  const { t: common } = useTranslation()
  const { t: auth } = useTranslation('auth')
  const toast = useToast()
  const text = useProblemText()
  const rename = useRename()
  const saveLanguage = useSaveLanguage()
  const [name, setName] = useState(user.name)
  const [problem, setProblem] = useState<ReturnType<typeof nameProblem>>()
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const found = nameProblem(name)
    setProblem(found)
    if (found) return
    rename.mutate(name.trim(), {
      onSuccess: () => toast.success(t('profile.nameChanged')),
      onError: (error) => toast.error(t('profile.nameFailed', { message: text(error) }), error),
    })
  }
  const languages = [
    { key: 'en' as const, title: common('english') },
    { key: 'ko' as const, title: common('korean') },
  ]
  return (
    <Section title={t('profile.title')}>
      <Portrait user={user} />
      <form className={styles.inline} onSubmit={submit} noValidate>
        <TextField
          label={t('profile.name')}
          help={t('profile.nameHint')}
          autoComplete="nickname"
          value={name}
          error={problem && auth(`problems.${problem}`)}
          onChange={(event) => {
            setName(event.target.value)
            setProblem(undefined)
          }}
        />
        <Button type="submit" busy={rename.isPending} disabled={name.trim() === user.name}>
          {common('save')}
        </Button>
      </form>
      <div className={fieldClasses.field}>
        <span className={fieldClasses.label}>{t('profile.language')}</span>
        <span>
          <Segments
            label={t('profile.language')}
            options={languages}
            value={user.language}
            disabled={saveLanguage.isPending}
            onChange={(language) =>
              saveLanguage.mutate(language, { onError: (error) => toast.error(common('errors.languageFailed'), error) })
            }
          />
        </span>
      </div>
      <dl className={styles.facts}>
        <div>
          <dt>{t('profile.email')}</dt>
          <dd>{user.email}</dd>
          <dd>
            <Chip tone={user.emailVerified ? 'good' : 'warn'}>
              {t(user.emailVerified ? 'profile.verified' : 'profile.unverified')}
            </Chip>
          </dd>
        </div>
        <Fact title={t('profile.tag')} value={user.nameTag} />
        <Fact title={t('profile.plan')} value={user.subscriptions[0]?.name ?? t('profile.free')} />
        <Fact title={t('profile.since')} value={formatDate(user.createdAt)} />
      </dl>
    </Section>
  )
}

function Fact({ title, value }: { title: string; value: string }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{value}</dd>
    </div>
  )
}
