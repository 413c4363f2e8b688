import { Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSetPortrait } from '@/features/auth'
import type { User } from '@/shared/api/types'
import { uploadImage } from '@/shared/api/upload'
import { chunk } from '@/shared/lib/chunk'
import { useProblemText } from '@/shared/lib/problem-text'
import { Avatar } from '@/shared/ui/avatar'
import { Button } from '@/shared/ui/button'
import { Dialog } from '@/shared/ui/dialog'
import { FieldError } from '@/shared/ui/field'
import { lazyPart } from '@/shared/ui/lazy-part'
import { PageSpinner } from '@/shared/ui/spinner'
import { toast } from '@/shared/ui/toast'
import { portraitProblem } from '../model'
import styles from './account-tab.module.css'

const PortraitCropper = lazyPart(chunk(() => import('./portrait-cropper')))

export function Portrait({ user }: { user: User }) {
  const { t } = useTranslation('account')
  const text = useProblemText()
  const setPortrait = useSetPortrait()
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File | null>(null)
  const [problem, setProblem] = useState<ReturnType<typeof portraitProblem>>()
  const failed = (error: unknown) => toast.error(t('portrait.failed', { message: text(error) }), error)
  const choose = (chosen: File | undefined) => {
    if (!chosen) return
    const found = portraitProblem(chosen)
    setProblem(found)
    if (!found) setFile(chosen)
  }
  const save = async (cropped: File) => {
    try {
      const asset = await uploadImage(cropped, () => undefined)
      await setPortrait.mutateAsync(asset._id)
      setFile(null)
      toast.success(t('portrait.changed'))
    } catch (error) {
      failed(error)
    }
  }
  const remove = () =>
    setPortrait.mutate(null, { onSuccess: () => toast.success(t('portrait.removed')), onError: failed })
  return (
    <div className={styles.portrait}>
      <Avatar name={user.name} url={user.profile?.thumbnailUrl} size={72} />
      <div className={styles.buttons}>
        <Button icon="upload" onClick={() => input.current?.click()}>
          {t(user.profile ? 'portrait.change' : 'portrait.choose')}
        </Button>
        {user.profile && (
          <Button tone="ghost" busy={setPortrait.isPending && !file} onClick={remove}>
            {t('portrait.remove')}
          </Button>
        )}
      </div>
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/webp,image/gif,image/bmp"
        aria-label={t('portrait.label')}
        hidden
        onChange={(event) => {
          choose(event.target.files?.[0])
          // Allows choosing the same file again.
          event.target.value = ''
        }}
      />
      {problem && <FieldError>{t(`portrait.${problem}`)}</FieldError>}
      <Dialog open={file !== null} onClose={() => setFile(null)} title={t('portrait.cropTitle')}>
        <Suspense fallback={<PageSpinner />}>
          {file && (
            <PortraitCropper
              file={file}
              onCancel={() => setFile(null)}
              onCropped={save}
              onUnreadable={() => {
                setFile(null)
                setProblem('notAnImage')
              }}
            />
          )}
        </Suspense>
      </Dialog>
    </div>
  )
}
