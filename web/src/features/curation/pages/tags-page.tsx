import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WorkflowTagUse } from '@/shared/api/types'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button } from '@/shared/ui/button'
import { Dialog, useConfirm } from '@/shared/ui/dialog'
import { Page } from '@/shared/ui/page'
import { SkeletonRows } from '@/shared/ui/query-list'
import { EmptyState, ErrorState } from '@/shared/ui/states'
import { toast } from '@/shared/ui/toast'
import { tagUsesQuery, useDeleteTag, useOrderTags } from '../api'
import { MergeForm } from '../components/merge-form'
import { TagForm } from '../components/tag-form'
import { TagTree } from '../components/tag-tree'
import { buildTree, tagPath } from '../model'

type Layer =
  | { show: 'form'; tag?: WorkflowTagUse; parent: string | null }
  | { show: 'merge'; tag: WorkflowTagUse }
  | null

export default function TagsPage() {
  const { t, i18n } = useTranslation('curation')
  const tags = useQuery(tagUsesQuery())
  const text = useProblemText()
  const confirm = useConfirm()
  const order = useOrderTags()
  const remove = useDeleteTag()
  const [layer, setLayer] = useState<Layer>(null)
  const close = () => setLayer(null)
  const all = tags.data ?? []
  const tree = buildTree(all)
  const nameOf = (tag: WorkflowTagUse) => (i18n.language === 'ko' ? tag.nameKo : tag.name)
  const failed = (error: unknown) => toast.error(t('failed', { message: text(error) }), error)
  const below = (tag: WorkflowTagUse | undefined) => all.filter((one) => tag && one.parentTag === tag._id).length

  const drop = async (tag: WorkflowTagUse) => {
    if (below(tag) > 0) return toast.info(t('tags.notEmpty', { name: nameOf(tag) }))
    // A tag in use is merged into another, not deleted.
    if (tag.workflows > 0) return setLayer({ show: 'merge', tag })
    const yes = await confirm({
      title: t('tags.removeTitle', { name: nameOf(tag) }),
      text: t('tags.removeText'),
      action: t('tags.remove'),
      danger: true,
    })
    if (yes) remove.mutate(tag._id, { onSuccess: () => toast.success(t('tags.removed')), onError: failed })
  }
  return (
    <Page
      title={t('tags.title')}
      lead={t('tags.lead')}
      actions={
        <Button tone="primary" icon="plus" onClick={() => setLayer({ show: 'form', parent: null })}>
          {t('tags.addGroup')}
        </Button>
      }
    >
      {tags.isPending && <SkeletonRows height={56} count={6} />}
      {tags.isError && !tags.data && <ErrorState error={tags.error} onRetry={() => void tags.refetch()} />}
      {tags.data?.length === 0 && <EmptyState icon="tag" title={t('tags.empty')} text={t('tags.emptyText')} />}
      <TagTree
        tree={tree}
        nameOf={nameOf}
        acts={{
          add: (parent) => setLayer({ show: 'form', parent: parent._id }),
          edit: (tag) => setLayer({ show: 'form', tag, parent: tag.parentTag ?? null }),
          merge: (tag) => setLayer({ show: 'merge', tag }),
          remove: (tag) => void drop(tag),
          order: (parentTag, ids) => order.mutateAsync({ parentTag, ids }, { onError: failed }),
        }}
      />
      <Dialog
        open={layer?.show === 'form'}
        onClose={close}
        title={t(layer?.show === 'form' && layer.tag ? 'form.change' : 'form.create')}
      >
        {layer?.show === 'form' && (
          <TagForm
            tag={layer.tag}
            parent={layer.parent}
            roots={tree}
            hasChildren={below(layer.tag) > 0}
            nameOf={nameOf}
            onDone={() => {
              close()
              toast.success(t('saved'))
            }}
            onCancel={close}
          />
        )}
      </Dialog>
      <Dialog
        open={layer?.show === 'merge'}
        onClose={close}
        title={layer?.show === 'merge' ? t('merge.title', { name: nameOf(layer.tag) }) : ''}
      >
        {layer?.show === 'merge' && (
          <MergeForm
            from={layer.tag}
            tags={all}
            onDone={(into) => {
              close()
              toast.success(t('merge.done', { name: tagPath(all, into, i18n.language) }))
            }}
            onCancel={close}
          />
        )}
      </Dialog>
    </Page>
  )
}
