import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProblemText } from '@/shared/lib/problem-text'
import { useForm } from '@/shared/lib/use-form'
import { Button } from '@/shared/ui/button'
import { Dialog } from '@/shared/ui/dialog'
import { FieldError } from '@/shared/ui/field'
import { FormActions } from '@/shared/ui/form-actions'
import { toast } from '@/shared/ui/toast'
import { useAddCard } from '../use-add-card'
import { useCountry } from '../use-country'
import { CardForm } from './card-form'
import { CountryField } from './country-field'
import styles from './shop.module.css'

/** The button that saves another card, and its dialog. */
export function AddCard({ tone }: { tone: 'plain' | 'primary' }) {
  const { t } = useTranslation('subscription')
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <>
      <Button tone={tone} icon="plus" onClick={() => setIsOpen(true)}>
        {t('card.add')}
      </Button>
      <Dialog open={isOpen} onClose={close} title={t('card.add')}>
        <AddCardForm onClose={close} />
      </Dialog>
    </>
  )
}

function AddCardForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('subscription')
  const text = useProblemText()
  const [country, setCountry] = useCountry()
  // This page is where the person goes on.
  const { add, enter, form: opened, error, isBusy } = useAddCard(null)
  const form = useForm({ start: {}, error, send: () => add(country) })
  if (opened) {
    const saved = () => {
      toast.success(t('card.saved'))
      onClose()
    }
    return <CardForm opened={opened} onWindow={enter} windowError={error} onClose={onClose} onSaved={saved} />
  }
  return (
    <form {...form.form} className={styles.form}>
      <CountryField country={country} onCountry={setCountry} />
      <p className={styles.muted}>{t('card.elsewhere')}</p>
      {form.refusal !== null && <FieldError>{text(form.refusal)}</FieldError>}
      <FormActions onCancel={onClose} busy={isBusy}>
        {t('card.continue')}
      </FormActions>
    </form>
  )
}
