import { type ComponentProps, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/ui/button'
import { TextField } from '@/shared/ui/field'

type PasswordFieldProps = Omit<ComponentProps<typeof TextField>, 'type' | 'action'>

export function PasswordField(props: PasswordFieldProps) {
  const { t } = useTranslation('auth')
  const [visible, setVisible] = useState(false)
  return (
    <TextField
      {...props}
      type={visible ? 'text' : 'password'}
      action={
        <Button
          tone="ghost"
          icon="eye"
          aria-pressed={visible}
          aria-label={t(visible ? 'hidePassword' : 'showPassword')}
          onClick={() => setVisible(!visible)}
        />
      }
    />
  )
}
