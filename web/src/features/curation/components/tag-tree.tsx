import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WorkflowTagUse } from '@/shared/api/types'
import { formatCount } from '@/shared/lib/format'
import { Button } from '@/shared/ui/button'
import { Icon } from '@/shared/ui/icon'
import { Menu } from '@/shared/ui/menu'
import { SortableList } from '@/shared/ui/sortable-list'
import type { TagNode } from '../model'
import styles from './tag-tree.module.css'

type TagActions = {
  add: (parent: WorkflowTagUse) => void
  edit: (tag: WorkflowTagUse) => void
  merge: (tag: WorkflowTagUse) => void
  remove: (tag: WorkflowTagUse) => void
  order: (parentTag: string | null, ids: string[]) => Promise<unknown>
}

type TagTreeProps = { tree: TagNode[]; nameOf: (tag: WorkflowTagUse) => string; acts: TagActions }

export function TagTree({ tree, nameOf, acts }: TagTreeProps) {
  const { t } = useTranslation('curation')
  return (
    <SortableList
      label={t('tags.groups')}
      items={tree}
      nameOf={nameOf}
      onOrder={(ids) => acts.order(null, ids)}
      render={(root, handle) => <Group root={root} handle={handle} nameOf={nameOf} acts={acts} />}
    />
  )
}

type GroupProps = { root: TagNode; handle: ReactNode; nameOf: (tag: WorkflowTagUse) => string; acts: TagActions }

function Group({ root, handle, nameOf, acts }: GroupProps) {
  const { t } = useTranslation('curation')
  const [open, setOpen] = useState(false)
  const name = nameOf(root)
  const inside = `tags-of-${root._id}`
  return (
    <div className={styles.group}>
      <div className={styles.row}>
        {handle}
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={open}
          aria-controls={inside}
          onClick={() => setOpen(!open)}
        >
          <Icon name={open ? 'up' : 'down'} size={18} />
          <Names tag={root} />
          <span className={styles.children}>{t('tags.count', { count: root.children.length })}</span>
        </button>
        <Uses tag={root} />
        <TagMenu tag={root} name={name} acts={acts} />
      </div>
      {open && (
        <div id={inside} className={styles.inside}>
          {root.children.length > 0 && (
            <SortableList
              label={t('tags.of', { name })}
              items={root.children}
              nameOf={nameOf}
              onOrder={(ids) => acts.order(root._id, ids)}
              render={(tag, grip) => (
                <div className={styles.row}>
                  {grip}
                  <span className={styles.leaf}>
                    <Names tag={tag} />
                  </span>
                  <Uses tag={tag} />
                  <TagMenu tag={tag} name={nameOf(tag)} acts={acts} />
                </div>
              )}
            />
          )}
          <Button
            size="small"
            icon="plus"
            className={styles.add}
            aria-label={t('tags.addTo', { name })}
            onClick={() => acts.add(root)}
          >
            {t('tags.add')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** Shows both names: admins maintain both languages. */
function Names({ tag }: { tag: WorkflowTagUse }) {
  return (
    <span className={styles.names}>
      <span className={styles.name} lang="en">
        {tag.name}
      </span>
      <span className={styles.other} lang="ko">
        {tag.nameKo}
      </span>
    </span>
  )
}

function Uses({ tag }: { tag: WorkflowTagUse }) {
  const { t } = useTranslation('curation')
  return (
    <span className={styles.uses} title={t('tags.published', { count: tag.published })}>
      <Icon name="workflow" size={16} />
      <span aria-hidden="true">{formatCount(tag.workflows)}</span>
      <span className="visually-hidden">{t('tags.uses', { count: tag.workflows })}</span>
    </span>
  )
}

function TagMenu({ tag, name, acts }: { tag: WorkflowTagUse; name: string; acts: TagActions }) {
  const { t } = useTranslation('curation')
  return (
    <Menu
      label={t('tags.menuOf', { name })}
      className={styles.dots}
      trigger={<Icon name="dots" size={20} />}
      items={[
        { key: 'edit', icon: 'edit', title: t('tags.edit'), onSelect: () => acts.edit(tag) },
        { key: 'merge', icon: 'link', title: t('tags.merge'), onSelect: () => acts.merge(tag) },
        { key: 'remove', icon: 'trash', title: t('tags.remove'), onSelect: () => acts.remove(tag) },
      ]}
    />
  )
}
