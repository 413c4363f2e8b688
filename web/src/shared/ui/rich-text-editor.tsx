import Image from '@tiptap/extension-image'
import { type Editor, EditorContent, useEditor, useEditorState } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import { type ChangeEvent, type MouseEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '@/shared/lib/class-names'
import type { TrackUpload } from '@/shared/lib/use-pending-uploads'
import { Icon, type IconName } from './icon'
import text from './rich-text.module.css'
import styles from './rich-text-editor.module.css'

export type RichTextEditorProps = {
  /** The initial text. Later changes of the prop are ignored. */
  html: string
  label: string
  placeholder?: string
  onChange: (html: string) => void
  /** Stores a picture and returns its URL. Without it there is no picture button. */
  onImage?: (file: File) => Promise<{ url: string; name: string }>
  onProblem?: (error: unknown) => void
  /** Registers a picture upload. */
  trackUpload?: TrackUpload
  /** Focuses the end of the text. */
  autoFocus?: boolean
  /** Smaller, for comments. */
  compact?: boolean
}

/**
 * The editor of descriptions and comments: headings 2 to 4, bold, italic, underline, link, image. It is large: load it
 * by `import()` when the user starts to write.
 */
export default function RichTextEditor(props: RichTextEditorProps) {
  const { html, label, placeholder, onChange, autoFocus, compact } = props
  const editor = useEditor({
    extensions: [
      StarterKit.configure({
        heading: { levels: [2, 3, 4] },
        blockquote: false,
        code: false,
        codeBlock: false,
        horizontalRule: false,
        strike: false,
        link: { openOnClick: false, autolink: true, protocols: ['https', 'http', 'mailto'], defaultProtocol: 'https' },
      }),
      Image,
    ],
    content: html,
    autofocus: autoFocus ? 'end' : false,
    immediatelyRender: true,
    editorProps: {
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
        class: classNames(styles.text, compact && styles.compact, text.text),
        'data-placeholder': placeholder ?? '',
      },
    },
    onUpdate: ({ editor: changed }) => onChange(changed.isEmpty ? '' : changed.getHTML()),
  })
  // The editor's own `autofocus` runs too early for a slow page.
  useEffect(() => {
    if (!autoFocus) return
    const frame = requestAnimationFrame(() => {
      if (editor.isInitialized && !editor.isDestroyed && !editor.isFocused) editor.commands.focus('end')
    })
    return () => cancelAnimationFrame(frame)
  }, [editor, autoFocus])
  return (
    <div className={styles.frame}>
      <Toolbar editor={editor} {...props} />
      <EditorContent editor={editor} />
    </div>
  )
}

type Mark = 'bold' | 'italic' | 'underline'
const MARKS: { key: Mark; icon: IconName }[] = [
  { key: 'bold', icon: 'bold' },
  { key: 'italic', icon: 'italic' },
  { key: 'underline', icon: 'underline' },
]
const LEVELS = [2, 3, 4] as const

function Toolbar({ editor, onImage, onProblem, trackUpload }: { editor: Editor } & RichTextEditorProps) {
  const { t } = useTranslation('editor')
  const [linking, setLinking] = useState(false)
  const [busy, setBusy] = useState(false)
  const file = useRef<HTMLInputElement>(null)
  const on = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      bold: now.isActive('bold'),
      italic: now.isActive('italic'),
      underline: now.isActive('underline'),
      link: now.isActive('link'),
      level: LEVELS.find((level) => now.isActive('heading', { level })) ?? 0,
    }),
  })
  const press = (key: Mark) => {
    const chain = editor.chain().focus()
    if (key === 'bold') chain.toggleBold().run()
    else if (key === 'italic') chain.toggleItalic().run()
    else chain.toggleUnderline().run()
  }
  const take = async (event: ChangeEvent<HTMLInputElement>) => {
    const chosen = event.target.files?.[0]
    event.target.value = ''
    if (!chosen || !onImage) return
    setBusy(true)
    const release = trackUpload?.()
    try {
      const { url, name } = await onImage(chosen)
      editor.chain().focus().setImage({ src: url, alt: name }).run()
    } catch (error) {
      onProblem?.(error)
    } finally {
      setBusy(false)
      release?.()
    }
  }
  // Buttons keep the focus in the text, so that the user can type on.
  const stay = (event: MouseEvent<HTMLElement>) => {
    if (event.target instanceof Element && event.target.closest('button')) event.preventDefault()
  }
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('toolbar')} onMouseDown={stay}>
      {LEVELS.map((level) => (
        <button
          key={level}
          type="button"
          className={styles.tool}
          aria-pressed={on.level === level}
          aria-label={t('heading', { level })}
          title={t('heading', { level })}
          onClick={() => editor.chain().focus().toggleHeading({ level }).run()}
        >
          {`H${level}`}
        </button>
      ))}
      <span className={styles.gap} />
      {MARKS.map(({ key, icon }) => (
        <button
          key={key}
          type="button"
          className={styles.tool}
          aria-pressed={on[key]}
          aria-label={t(key)}
          title={t(key)}
          onClick={() => press(key)}
        >
          <Icon name={icon} size={18} />
        </button>
      ))}
      <span className={styles.gap} />
      <button
        type="button"
        className={styles.tool}
        aria-pressed={on.link}
        aria-expanded={linking}
        aria-label={t('link')}
        title={t('link')}
        onClick={() => (on.link ? editor.chain().focus().unsetLink().run() : setLinking(!linking))}
      >
        <Icon name="link" size={18} />
      </button>
      {onImage && (
        <>
          <button
            type="button"
            className={styles.tool}
            aria-label={t('image')}
            title={t('image')}
            disabled={busy}
            onClick={() => file.current?.click()}
          >
            <Icon name="picture" size={18} />
          </button>
          <input ref={file} type="file" accept="image/*" hidden onChange={(event) => void take(event)} />
        </>
      )}
      {linking && <LinkField editor={editor} onDone={() => setLinking(false)} />}
    </div>
  )
}

/** Edits the URL of a link. Only web and mail addresses are accepted. */
function LinkField({ editor, onDone }: { editor: Editor; onDone: () => void }) {
  const { t } = useTranslation('editor')
  const { t: common } = useTranslation()
  const [address, setAddress] = useState('https://')
  const good = /^(https?:\/\/[^\s/]+\.[^\s]+|mailto:[^\s@]+@[^\s@]+)$/i.test(address.trim())
  const set = () => {
    if (!good) return
    const href = address.trim()
    const chain = editor.chain().focus()
    // Without a selection, the URL becomes the text of the link.
    if (editor.state.selection.empty) {
      chain.insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] }).run()
    } else {
      chain.setLink({ href }).run()
    }
    onDone()
  }
  return (
    <span className={styles.linkField}>
      <input
        // biome-ignore lint/a11y/noAutofocus: a button opens the field.
        autoFocus
        className={styles.address}
        type="url"
        aria-label={t('address')}
        value={address}
        onChange={(event) => setAddress(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault()
            set()
          }
          if (event.key === 'Escape') {
            event.stopPropagation()
            onDone()
          }
        }}
      />
      <button type="button" className={styles.tool} disabled={!good} onClick={set}>
        {t('setLink')}
      </button>
      <button type="button" className={styles.tool} aria-label={common('cancel')} onClick={onDone}>
        <Icon name="close" size={16} />
      </button>
    </span>
  )
}
