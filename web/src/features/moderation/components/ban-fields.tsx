import { useTranslation } from 'react-i18next'
import { TextArea } from '@/shared/ui/field'
import { SelectField } from '@/shared/ui/select'
import { BAN_LENGTHS, type BanDraft, type BanLength, MAX_WORDS } from '../model'
import styles from './ban-fields.module.css'

type BanFieldsProps = { ban: BanDraft; onChange: (ban: BanDraft) => void; error?: string | undefined }

export function BanFields({ ban, onChange, error }: BanFieldsProps) {
  const { t } = useTranslation('moderation')
  return (
    <div className={styles.fields}>
      <SelectField
        label={t('ban.length')}
        value={ban.length}
        onChange={(event) => onChange({ ...ban, length: event.target.value as BanLength })}
      >
        {BAN_LENGTHS.map((length) => (
          <option key={length} value={length}>
            {t(`ban.lengths.${length}`)}
          </option>
        ))}
      </SelectField>
      <TextArea
        label={t('ban.reason')}
        help={t('ban.reasonHelp')}
        maxLength={MAX_WORDS}
        value={ban.reason}
        error={error}
        onChange={(event) => onChange({ ...ban, reason: event.target.value })}
      />
    </div>
  )
}
