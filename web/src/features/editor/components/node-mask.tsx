import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { MaskEditor } from '@/features/mask-editor'
import type { FrameBridge } from '@/shared/lib/frame-bridge'

type NodeMaskProps = {
  nodeId: string
  /** The value of the node's image input: a path in the input folder. */
  value: string
  bridge: FrameBridge
  onClose: () => void
}

/** Draws a mask on the picture of an image node. The masked picture becomes the node's. */
export function NodeMask({ nodeId, value, bridge, onClose }: NodeMaskProps) {
  const { t: common } = useTranslation()
  const name = value.replace(/ \[\w+\]$/, '').replace(/^.*[/\\]/, '')
  return (
    <Suspense fallback={<span className="visually-hidden">{common('loading')}</span>}>
      <MaskEditor
        picture={{ ref: { filename: value, type: 'input' }, name }}
        onClose={onClose}
        onSaved={(masked) => {
          bridge.send({ type: 'insertImage', name: masked.value, nodeId })
          onClose()
        }}
      />
    </Suspense>
  )
}
