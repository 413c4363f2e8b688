import { useTranslation } from 'react-i18next'
import { chooseNsfw, NSFW_CHOICES, type NsfwChoice, useNsfwChoice } from '@/shared/lib/nsfw'
import { Select } from './select'

/** Chooses how this browser shows NSFW pictures. */
export function NsfwSelect({ className }: { className?: string }) {
  const { t } = useTranslation()
  const choice = useNsfwChoice()
  return (
    <Select
      className={className}
      aria-label={t('sensitive.label')}
      value={choice}
      onChange={(event) => chooseNsfw(event.target.value as NsfwChoice)}
    >
      {NSFW_CHOICES.map((key) => (
        <option key={key} value={key}>
          {t(`sensitive.${key}`)}
        </option>
      ))}
    </Select>
  )
}
