import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'
import { rememberReturnPath, useGuest, useLoginDialog, useSaveLanguage, useSignOut, useUser } from '@/features/auth'
import { dropCommentDrafts } from '@/features/comments'
import { dropAllDrafts } from '@/features/mini-apps'
import { Bell } from '@/features/notifications'
import { HeaderSearch } from '@/features/search'
import { endChat } from '@/features/support-chat'
import { dropApiDrafts } from '@/features/workflow-api'
import { dropWorkflowDrafts } from '@/features/workflows'
import type { User } from '@/shared/api/types'
import { type Language, showLanguage } from '@/shared/i18n'
import { chunk } from '@/shared/lib/chunk'
import { formatNumber } from '@/shared/lib/format'
import { isAdminPath, paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { Avatar } from '@/shared/ui/avatar'
import { Button, ButtonLink } from '@/shared/ui/button'
import { Icon } from '@/shared/ui/icon'
import { lazyPart } from '@/shared/ui/lazy-part'
import { SilentRetry } from '@/shared/ui/load-error'
import { Menu, type MenuItem } from '@/shared/ui/menu'
import { closeModal, openModal } from '@/shared/ui/modals'
import { toast } from '@/shared/ui/toast'
import { Brand } from './brand'
import { START } from './nav-items'
import styles from './shell.module.css'

const LiveJobs = lazyPart(
  chunk(() => import('./live-jobs')),
  SilentRetry,
)

/** `onMenu` opens the drawer on windows without a side bar. */
export function Header({ onMenu }: { onMenu: (() => void) | undefined }) {
  const { t } = useTranslation()
  const user = useUser()
  const guest = useGuest()
  const openLogin = useLoginDialog()
  const { pathname } = useLocation()
  const signing = pathname === paths.login() || pathname === paths.signup()
  const startAsGuest = () => {
    openLogin('signUp')
    rememberReturnPath(START)
  }
  return (
    <header className={styles.header}>
      {onMenu && (
        <>
          <button type="button" className={styles.iconButton} aria-label={t('menu')} onClick={onMenu}>
            <Icon name="menu" />
          </button>
          <Brand folded />
        </>
      )}
      {onMenu ? (
        <>
          <span className={styles.spacer} />
          <Link className={styles.iconButton} aria-label={t('search.label')} to={paths.mobileSearch()}>
            <Icon name="search" />
          </Link>
        </>
      ) : (
        <>
          <HeaderSearch />
          <span className={styles.spacer} />
        </>
      )}
      {user && <Credits user={user} />}
      {user && (
        <Suspense>
          <LiveJobs />
        </Suspense>
      )}
      {user && <Bell className={styles.iconButton} />}
      <LanguageMenu user={user} />
      {user && <UserMenu user={user} />}
      {user && !isAdminPath(pathname) && (
        <ButtonLink tone="primary" size="small" className={styles.start} to={START}>
          {t('create')}
        </ButtonLink>
      )}
      {guest && !signing && (
        <Button tone="primary" size="small" onClick={startAsGuest}>
          {t('start')}
        </Button>
      )}
    </header>
  )
}

function Credits({ user }: { user: User }) {
  const { t, i18n } = useTranslation()
  const { available, held } = user.credits
  const number = (count: number) => formatNumber(count, i18n.language)
  const reserved = held > 0 ? t('creditsReserved', { number: number(held) }) : undefined
  return (
    <Link className={styles.credits} to={paths.account('credits')} title={reserved}>
      <Icon name="bolt" size={16} />
      <span aria-hidden="true">{number(available)}</span>
      <span className="visually-hidden">
        {t('creditsAvailable', { count: available })}
        {reserved && `, ${reserved}`}
      </span>
      {reserved && (
        <span className={styles.reserved} aria-hidden="true">
          {reserved}
        </span>
      )}
    </Link>
  )
}

function LanguageMenu({ user }: { user: User | null | undefined }) {
  const { t, i18n } = useTranslation()
  const save = useSaveLanguage()
  const choose = (language: Language) => {
    if (language === i18n.language) return
    const failed = (error: unknown) => {
      closeModal('loading')
      toast.error(t('errors.languageFailed'), error)
    }
    openModal('loading', {})
    if (user) save.mutate(language, { onError: failed })
    else showLanguage(language).then(() => window.location.reload(), failed)
  }
  const item = (key: Language, title: string) => ({
    key,
    title,
    lang: key,
    checked: i18n.language === key,
    onSelect: () => choose(key),
  })
  return (
    <Menu
      label={t('language')}
      className={styles.iconButton}
      trigger={<Icon name="globe" />}
      items={[item('en', t('english')), item('ko', t('korean'))]}
    />
  )
}

function UserMenu({ user }: { user: User }) {
  const { t } = useTranslation()
  const text = useProblemText()
  const navigate = useNavigate()
  const signOut = useSignOut()
  const leave = () => {
    dropAllDrafts()
    dropWorkflowDrafts()
    dropApiDrafts()
    dropCommentDrafts()
    endChat()
    openModal('loading', {})
    signOut.mutate(undefined, {
      onError: (error) => {
        closeModal('loading')
        toast.error(text(error), error)
      },
    })
  }
  const go = (path: string) => () => void navigate(path)
  const admin: MenuItem[] = user.roles.includes('Admin')
    ? [{ key: 'admin', title: t('nav.admin'), icon: 'shield', onSelect: go(paths.admin.home()) }]
    : []
  return (
    <Menu
      label={t('avatarMenu')}
      className={styles.avatarButton}
      trigger={<Avatar name={user.name} url={user.profile?.thumbnailUrl} />}
      items={[
        { key: 'profile', title: user.name, icon: 'account', onSelect: go(paths.profile(user._id)) },
        { key: 'account', title: t('nav.account'), icon: 'key', onSelect: go(paths.account()) },
        { key: 'pictures', title: t('nav.pictures'), icon: 'picture', onSelect: go(paths.pictures()) },
        { key: 'jobs', title: t('nav.jobs'), icon: 'jobs', onSelect: go(paths.jobs()) },
        ...admin,
        { key: 'shortcuts', title: t('shortcuts.title'), icon: 'keyboard', onSelect: () => openModal('shortcuts', {}) },
        { key: 'out', title: t('signOut'), icon: 'out', onSelect: leave },
      ]}
    />
  )
}
