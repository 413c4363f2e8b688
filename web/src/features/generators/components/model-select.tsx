import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ModelName, WorkerModel } from '@/shared/api/types'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button } from '@/shared/ui/button'
import { Select } from '@/shared/ui/select'
import { toast } from '@/shared/ui/toast'
import { useForgetModel, useSetModel } from '../api'
import { choiceOf, likeOf, type ModelChoice, namesByFamily } from '../model'
import { useFamilyName } from '../use-family-name'
import styles from './model-select.module.css'

type ModelSelectProps = { model: WorkerModel; names: ModelName[]; onChanged: () => void }

/** Chooses what a model file is. A button saves it: the arrow keys change a closed select at every press. */
export function ModelSelect({ model, names, onChanged }: ModelSelectProps) {
  const { t } = useTranslation('generators')
  const familyName = useFamilyName()
  const text = useProblemText()
  const set = useSetModel()
  const forget = useForgetModel()
  const select = useRef<HTMLSelectElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [chosen, setChosen] = useState<ModelChoice | null>(null)
  const { folder, file } = model
  const saved = choiceOf(model)
  const choice = chosen ?? saved
  const families = namesByFamily(names, folder)
  const like = likeOf(saved)
  const isUnknown = like !== null && !families.some((family) => family.names.includes(like))

  const done = (title: string) => ({
    onSuccess: () => {
      // The button goes away; its focus would be lost.
      if (document.activeElement === button.current) select.current?.focus({ preventScroll: true })
      setChosen(null)
      toast.success(title, t('follow'))
      onChanged()
    },
    onError: (error: Error) => toast.error(t('models.failed', { message: text(error) }), error),
  })
  const save = () => {
    const name = likeOf(choice)
    if (choice === 'auto') forget.mutate({ folder, file }, done(t('models.isAuto', { file })))
    else
      set.mutate(
        { folder, file, like: name },
        done(name === null ? t('models.isNone', { file }) : t('models.isLike', { file, name })),
      )
  }
  return (
    <div className={styles.choice}>
      <Select
        ref={select}
        aria-label={t('models.choose', { file })}
        value={choice}
        onChange={({ target }) => setChosen(target.value === saved ? null : (target.value as ModelChoice))}
      >
        <option value="auto">{t('models.auto')}</option>
        <option value="none">{t('models.none')}</option>
        {isUnknown && <option value={saved}>{like}</option>}
        {families.map(({ family, names }) => (
          <optgroup key={family} label={familyName(family)}>
            {names.map((name) => (
              <option key={name} value={`like:${name}`}>
                {name}
              </option>
            ))}
          </optgroup>
        ))}
      </Select>
      {chosen !== null && (
        <Button
          ref={button}
          size="small"
          tone="primary"
          aria-label={t('models.saveOf', { file })}
          busy={set.isPending || forget.isPending}
          onClick={save}
        >
          {t('models.save')}
        </Button>
      )}
    </div>
  )
}
