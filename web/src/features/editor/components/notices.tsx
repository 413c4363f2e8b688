import { useTranslation } from 'react-i18next'
import { formatRelative } from '@/shared/lib/format'
import { Button } from '@/shared/ui/button'
import { Dialog } from '@/shared/ui/dialog'
import { Icon } from '@/shared/ui/icon'
import type { Conflict } from '../use-session'
import dialogs from './dialogs.module.css'
import styles from './editor.module.css'

type NoticeProps = { text: string; actions: { title: string; onPress: () => void }[] }

function Notice({ text, actions }: NoticeProps) {
  return (
    <div className={styles.notice} role="status">
      <Icon name="clock" size={18} />
      <span>{text}</span>
      {actions.map(({ title, onPress }) => (
        <Button key={title} size="small" tone="ghost" onClick={onPress}>
          {title}
        </Button>
      ))}
    </div>
  )
}

/** Unsaved changes were loaded. */
export function RestoredNotice({ at, onDiscard }: { at: string; onDiscard: () => void }) {
  const { t, i18n } = useTranslation('nodeEditor')
  const text = t('draft.restored', { time: formatRelative(at, i18n.language) })
  return <Notice text={text} actions={[{ title: t('draft.discard'), onPress: onDiscard }]} />
}

type OtherDraftProps = { name: string; at: string; onOpen: () => void; onDelete: () => void }

/** There is an unsaved project besides the new one. */
export function OtherDraftNotice({ name, at, onOpen, onDelete }: OtherDraftProps) {
  const { t, i18n } = useTranslation('nodeEditor')
  const text = t('draft.other', { name, time: formatRelative(at, i18n.language) })
  const actions = [
    { title: t('draft.open'), onPress: onOpen },
    { title: t('draft.delete'), onPress: onDelete },
  ]
  return <Notice text={text} actions={actions} />
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
