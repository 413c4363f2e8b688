import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatRelative } from '@/shared/lib/format'
import { Button } from '@/shared/ui/button'
import { Dialog } from '@/shared/ui/dialog'
import { Icon, type IconName } from '@/shared/ui/icon'
import type { Conflict } from '../use-session'
import dialogs from './dialogs.module.css'
import styles from './editor.module.css'

type NoticeProps = { icon: IconName; text: string; children?: ReactNode }

/** A line above the graph. `children` are its buttons. */
export function Notice({ icon, text, children }: NoticeProps) {
  return (
    <div className={styles.notice} role="status">
      <Icon name={icon} size={18} />
      <span>{text}</span>
      {children}
    </div>
  )
}

/** Unsaved changes were loaded. */
export function RestoredNotice({ at, onDiscard }: { at: string; onDiscard: () => void }) {
  const { t, i18n } = useTranslation('nodeEditor')
  const text = t('draft.restored', { time: formatRelative(at, i18n.language) })
  return (
    <Notice icon="clock" text={text}>
      <Button size="small" tone="ghost" onClick={onDiscard}>
        {t('draft.discard')}
      </Button>
    </Notice>
  )
}

type OtherDraftProps = { name: string; at: string; onOpen: () => void; onDelete: () => void }

/** There is an unsaved project besides the new one. */
export function OtherDraftNotice({ name, at, onOpen, onDelete }: OtherDraftProps) {
  const { t, i18n } = useTranslation('nodeEditor')
  const text = t('draft.other', { name, time: formatRelative(at, i18n.language) })
  return (
    <Notice icon="clock" text={text}>
      <Button size="small" tone="ghost" onClick={onOpen}>
        {t('draft.open')}
      </Button>
      <Button size="small" tone="ghost" onClick={onDelete}>
        {t('draft.delete')}
      </Button>
    </Notice>
  )
}

type ConflictProps = { kind: Conflict; onMine: () => void; onOther: () => void; onCopy: () => void }

/** Asks which graph counts: this page's, or the one of another page. Closing it changes nothing. */
export function ConflictDialog({ kind, onMine, onOther, onCopy, onClose }: ConflictProps & { onClose: () => void }) {
  const { t } = useTranslation('nodeEditor')
  return (
    <Dialog open onClose={onClose} title={t(`conflict.${kind}.title`)}>
      <div className={dialogs.form}>
        <p>{t(`conflict.${kind}.text`)}</p>
        <div className={dialogs.actions}>
          <Button tone="primary" onClick={onMine}>
            {t(`conflict.${kind}.mine`)}
          </Button>
          <Button tone="outline" onClick={onOther}>
            {t(`conflict.${kind}.other`)}
          </Button>
          <Button tone="ghost" onClick={onCopy}>
            {t(kind === 'project' ? 'save' : 'saveCopy')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
