import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import type { Asset } from '@/shared/api/types'
import { type FileKind, MAX_IMAGE_BYTES, MAX_PLAYED_BYTES } from '@/shared/api/upload'
import { useProblemText } from '@/shared/lib/problem-text'
import { useUpload } from './api'

const MAX_TEXT_BYTES = 2_097_152
const MAX_BYTES = {
  image: MAX_IMAGE_BYTES,
  video: MAX_PLAYED_BYTES,
  audio: MAX_PLAYED_BYTES,
  text: MAX_TEXT_BYTES,
} as const
/** The `accept` of file inputs. The server decides: browsers do not know the type of every accepted file. */
export const ACCEPT = {
  image: 'image/*',
  video: 'video/*,.mkv,.mov',
  audio: 'audio/*,.flac,.m4a',
  text: 'text/*,.txt,.md,.csv,.tsv,.json,.jsonl,.srt,.vtt,.yaml,.yml,.xml',
} as const

/** Whether a file may be of this kind by its type. Text files have types of many kinds, such as `application/json`. */
export const mayBe = (kind: FileKind, { type }: File): boolean =>
  kind === 'text' ? !/^(image|video|audio|font)\//.test(type) : type === '' || type.startsWith(`${kind}/`)

/** Why files of one kind cannot be uploaded, in the reader's language. */
export function useUploadWords(kind: FileKind) {
  const { t } = useTranslation('miniApps')
  const text = useProblemText()
  const word = (key: 'tooLarge' | 'notKind') => t(`${kind}.${key}`)
  /** The reason why a file is not uploaded at all. */
  const refusalOf = (file: File): string | undefined => {
    if (!mayBe(kind, file)) return word('notKind')
    return file.size > MAX_BYTES[kind] ? word('tooLarge') : undefined
  }
  /** The reason of a failed upload; nothing for a canceled one. */
  const problemOf = (error: unknown): string | undefined => {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined
    if (isApiError(error) && error.code === 'FILE_TOO_LARGE') return word('tooLarge')
    if (isApiError(error) && ['FILE_NOT_AN_IMAGE', 'FILE_NOT_TEXT'].includes(error.code)) return word('notKind')
    return t('image.failed', { message: text(error) })
  }
  return { refusalOf, problemOf }
}

/** Uploads files of one kind with progress. Refused files are explained in `problem`. */
export function useFileUpload(kind: FileKind) {
  const words = useUploadWords(kind)
  const upload = useUpload()
  const abort = useRef<AbortController>(null)
  const [share, setShare] = useState(0)
  const [problem, setProblem] = useState<string>()
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
      abort.current?.abort()
    }
  }, [])

  /** Explains a file that cannot be uploaded. */
  const refuses = (file: File): boolean => {
    const refusal = words.refusalOf(file)
    if (refusal) setProblem(refusal)
    return refusal !== undefined
  }
  /** Resolves to nothing when the upload failed or was canceled, or when the component is unmounted. */
  const send = async (file: File): Promise<Asset | undefined> => {
    if (isGone.current) return undefined
    const controller = new AbortController()
    abort.current = controller
    setShare(0)
    try {
      return await upload.mutateAsync({ kind, file, onProgress: setShare, signal: controller.signal })
    } catch (error) {
      const reason = words.problemOf(error)
      if (reason) setProblem(reason)
      return undefined
    }
  }
  return { send, refuses, share, busy: upload.isPending, problem, setProblem, cancel: () => abort.current?.abort() }
}
