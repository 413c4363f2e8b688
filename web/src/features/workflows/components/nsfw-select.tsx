import { useTranslation } from 'react-i18next'
import { Select } from '@/shared/ui/select'
import { chooseNsfw, NSFW_CHOICES, type NsfwChoice, useNsfwChoice } from '../nsfw'

/** What this browser does with sensitive pictures. */
export function NsfwSelect({ className }: { className?: string }) {
  const { t } = useTranslation('workflows')
  const choice = useNsfwChoice()
  return (
    <Select
      className={className}
      aria-label={t('nsfw.label')}
      value={choice}
      onChange={(event) => chooseNsfw(event.target.value as NsfwChoice)}
    >
      {NSFW_CHOICES.map((key) => (
        <option key={key} value={key}>
          {t(`nsfw.${key}`)}
        </option>
      ))}
    </Select>
  )
}
