import { useQuery } from '@tanstack/react-query'
import { Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useUser } from '@/features/auth'
import { originQuery } from '@/features/jobs'
import type { Origin, OriginSetting, OutputAsset } from '@/shared/api/types'
import { chunk } from '@/shared/lib/chunk'
import { paths } from '@/shared/lib/paths'
import { useTranslated } from '@/shared/lib/translated'
import { Button, ButtonLink } from '@/shared/ui/button'
import { lazyPart } from '@/shared/ui/lazy-part'
import { Picture } from '@/shared/ui/picture'
import { isUpload } from '@/shared/ui/schema-form/is-upload'
import { Skeleton } from '@/shared/ui/states'
import { Switch } from '@/shared/ui/switch'
import { useResultToasts } from '@/shared/ui/use-result-toasts'
import { useSetPrivate } from '../api'
import styles from './picture-origin.module.css'

const RunPrompt = lazyPart(chunk(() => import('./run-prompt')))

/** Number of settings shown before "show all". */
const FIRST = 6

/** How a picture was made: app, settings and seeds. The owner also chooses whether others see it. */
export function PictureOrigin({ picture, own }: { picture: OutputAsset; own: boolean }) {
  const { t } = useTranslation('gallery')
  const user = useUser()
  const title = useId()
  const origin = useQuery({ ...originQuery(picture._id, Boolean(user)), enabled: user !== undefined })
  if (origin.isError && !origin.data) {
    return (
      <section className={styles.origin} aria-labelledby={title}>
        <h2 id={title}>{t('origin.title')}</h2>
        <p className={styles.muted}>{t('origin.failed')}</p>
        <Button size="small" tone="outline" icon="reset" onClick={() => void origin.refetch()}>
          {t('origin.again')}
        </Button>
      </section>
    )
  }
  return (
    <section className={styles.origin} aria-labelledby={title} aria-busy={!origin.data}>
      <h2 id={title}>{t('origin.title')}</h2>
      {!origin.data ? (
        <Skeleton style={{ height: 64, borderRadius: 10 }} />
      ) : origin.data.isTold ? (
        <OriginDetails picture={picture} origin={origin.data} own={own} />
      ) : (
        <p className={styles.muted}>{t(own ? 'origin.unknown' : 'origin.kept')}</p>
      )}
      {own && !picture.isPrivate && <OriginSharing picture={picture} />}
    </section>
  )
}

function OriginDetails({ picture, origin, own }: { picture: OutputAsset; origin: Origin; own: boolean }) {
  const { t } = useTranslation('gallery')
  const { workflow, workflowApi, settings } = origin
  const translated = useTranslated()
  const [all, setAll] = useState(false)
  const shown = all ? settings : settings.slice(0, FIRST)
  return (
    <>
      {workflow ? (
        <Link className={styles.app} to={paths.workflow(workflow._id)}>
          <Picture
            className={styles.cover as string}
            src={workflow.cover?.thumbnailUrl}
            fallback={workflow.cover?.url ?? null}
            alt=""
            ratio={1}
          />
          <span>{translated(workflow).name}</span>
        </Link>
      ) : (
        <p>{t('origin.prompt')}</p>
      )}
      {shown.length > 0 && (
        <dl className={styles.settings}>
          {shown.map((setting) => (
            <Setting key={setting.field ?? setting.title} setting={setting} origin={origin} />
          ))}
        </dl>
      )}
      {settings.length > FIRST && (
        <Button size="small" tone="ghost" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('origin.fewer') : t('origin.all', { count: settings.length })}
        </Button>
      )}
      {workflowApi ? (
        <ButtonLink tone="outline" icon="bolt" to={paths.miniAppFrom(workflowApi, picture._id)}>
          {t('origin.runAgain')}
        </ButtonLink>
      ) : workflow ? (
        <p className={styles.muted}>{t('origin.notAgain')}</p>
      ) : own && picture.job._id ? (
        <Suspense fallback={null}>
          <RunPrompt job={picture.job._id} />
        </Suspense>
      ) : (
        <p className={styles.muted}>{t('origin.promptOwn')}</p>
      )}
    </>
  )
}

function Setting({ setting, origin }: { setting: OriginSetting; origin: Origin }) {
  const { t } = useTranslation('gallery')
  const { title, widget, value, label } = useTranslated()(setting)
  const isFile = isUpload(widget)
  const upload = isFile && origin.uploads.find((one) => one._id === value)
  return (
    <div className={widget === 'textarea' ? styles.long : undefined}>
      <dt>{title}</dt>
      <dd>
        {upload && widget === 'image' ? (
          <Picture
            className={styles.upload as string}
            src={upload.thumbnailUrl}
            fallback={upload.url}
            alt={upload.name}
          />
        ) : upload ? (
          upload.name
        ) : isFile ? (
          <span className={styles.muted}>{t(widget === 'image' ? 'origin.ownPicture' : 'origin.ownFile')}</span>
        ) : widget === 'seed' ? (
          <code>{String(value)}</code>
        ) : widget === 'toggle' ? (
          t(value ? 'origin.on' : 'origin.off')
        ) : (
          (label ?? String(value ?? ''))
        )}
      </dd>
    </div>
  )
}

/** Lets the owner choose whether others see how the picture was made. */
function OriginSharing({ picture }: { picture: OutputAsset }) {
  const { t } = useTranslation('gallery')
  const toasts = useResultToasts()
  const save = useSetPrivate()
  const id = useId()
  const change = (showsOrigin: boolean) =>
    save.mutate(
      { ids: [picture._id], isPrivate: false, showsOrigin },
      toasts(t(showsOrigin ? 'origin.told' : 'origin.notTold'), () => t('visibilityFailed')),
    )
  return (
    <div className={styles.sharing}>
      <span id={id}>{t('publishing.origin')}</span>
      <Switch checked={picture.showsOrigin} disabled={save.isPending} aria-labelledby={id} onChange={change} />
    </div>
  )
}
