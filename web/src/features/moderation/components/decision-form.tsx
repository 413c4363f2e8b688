import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import type { CaseVerdict, ModerationCaseDetail } from '@/shared/api/types'
import { usePersonName } from '@/shared/lib/person-name'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button } from '@/shared/ui/button'
import { useConfirm } from '@/shared/ui/dialog'
import { TextArea } from '@/shared/ui/field'
import type { IconName } from '@/shared/ui/icon'
import { toast } from '@/shared/ui/toast'
import { type Decided, useDecideCase } from '../api'
import { type BanDraft, isComplete, MAX_WORDS, NO_BAN, VERDICTS } from '../model'
import { BanFields } from './ban-fields'
import styles from './decision-form.module.css'

const FACES: Record<CaseVerdict, { icon: IconName; tone: 'primary' | 'plain' | 'outline' | 'danger' }> = {
  Keep: { icon: 'check', tone: 'primary' },
  Restore: { icon: 'reset', tone: 'primary' },
  Hide: { icon: 'eyeOff', tone: 'outline' },
  Delete: { icon: 'trash', tone: 'danger' },
}

/** The possible decisions on a case, with a message to the author and a ban. All are sent together. */
export function DecisionForm({ one }: { one: ModerationCaseDetail }) {
  const { t } = useTranslation('moderation')
  const nameOf = usePersonName()
  const confirm = useConfirm()
  const text = useProblemText()
  const decide = useDecideCase(one._id)
  const [warns, setWarns] = useState(false)
  const [warning, setWarning] = useState('')
  const [bans, setBans] = useState(false)
  const [ban, setBan] = useState<BanDraft>(NO_BAN)
  const [tried, setTried] = useState(false)
  const verdicts = VERDICTS[one.state]
  if (verdicts.length === 0) return <p className={styles.end}>{t('decide.final')}</p>
  const missing = tried ? t('decide.words') : undefined

  const take = async (verdict: CaseVerdict) => {
    setTried(true)
    if ((warns && !isComplete(warning)) || (bans && !isComplete(ban.reason))) return
    const name = one.seen.title || t(`case.of.${one.kind}`, { name: nameOf(one.author) })
    const yes =
      (verdict === 'Keep' || verdict === 'Restore') && !bans
        ? true
        : await confirm({
            title: t(`decide.ask.${verdict}`, { name }),
            text: bans
              ? t('decide.askBan', { name: nameOf(one.author), length: t(`ban.lengths.${ban.length}`) })
              : t(`decide.means.${verdict}`),
            action: t(`verdicts.${verdict}`),
            danger: verdict !== 'Keep' && verdict !== 'Restore',
          })
    if (!yes) return
    const decided: Decided = {
      revision: one.revision,
      verdict,
      ...(warns && { warning: warning.trim() }),
      ...(bans && { ban }),
    }
    decide.mutate(decided, {
      onSuccess: () => toast.success(t(`decide.done.${verdict}`)),
      onError: (error) => toast.error(refusal(error), error),
    })
  }
  const refusal = (error: unknown) => {
    if (!isApiError(error, 409)) return t('decide.failed', { message: text(error) })
    if (error.code === 'BAN_ADMIN') return t('decide.banAdmin')
    return t(error.code === 'CASE_THING_GONE' ? 'decide.thingGone' : 'decide.changed')
  }

  return (
    <>
      <section className={styles.decide} aria-label={t('decide.title')}>
        <label className={styles.check}>
          <input type="checkbox" checked={warns} onChange={(event) => setWarns(event.target.checked)} />
          {t('decide.warn')}
        </label>
        {warns && (
          <TextArea
            label={t('decide.warning')}
            help={t('decide.warningHelp')}
            maxLength={MAX_WORDS}
            value={warning}
            error={isComplete(warning) ? undefined : missing}
            onChange={(event) => setWarning(event.target.value)}
          />
        )}
        <label className={styles.check}>
          <input type="checkbox" checked={bans} onChange={(event) => setBans(event.target.checked)} />
          {t('decide.ban')}
        </label>
        {bans && <BanFields ban={ban} onChange={setBan} error={isComplete(ban.reason) ? undefined : missing} />}
      </section>
      <div className={styles.verdicts}>
        {verdicts.map((verdict) => (
          <Button
            key={verdict}
            tone={FACES[verdict].tone}
            icon={FACES[verdict].icon}
            busy={decide.isPending && decide.variables.verdict === verdict}
            disabled={decide.isPending}
            onClick={() => void take(verdict)}
          >
            {t(`verdicts.${verdict}`)}
          </Button>
        ))}
      </div>
    </>
  )
}
