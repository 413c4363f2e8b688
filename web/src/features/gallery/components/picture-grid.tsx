import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useDeferredValue, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { useCanUnpublish, useUser } from '@/features/auth'
import type { OutputAsset } from '@/shared/api/types'
import { classNames } from '@/shared/lib/class-names'
import { LoadMore } from '@/shared/ui/load-more'
import { Masonry } from '@/shared/ui/masonry'
import { albumShape, gridShape } from '@/shared/ui/masonry-layout'
import { ErrorState, Skeleton } from '@/shared/ui/states'
import { picturesQuery } from '../api'
import {
  addRange,
  blockedReason,
  EMPTY_SELECTION,
  groupByDate,
  isOwn,
  type OpenedFrom,
  type PictureList,
  ratioOf,
  type Selection,
  toggleOne,
} from '../model'
import styles from './picture-grid.module.css'
import { ALBUM_SLOTS, GRID_SLOTS, PictureTile, type SelectTile } from './picture-tile'
import { SelectionBar } from './selection-bar'

type PictureGridProps = {
  list: PictureList
  label: string
  empty: ReactNode
  /** Small squares, as on a profile. */
  album?: boolean
  /** Groups pictures by date, with the days left until they expire. */
  dated?: boolean
  /** The picture that was just closed above the list; it gets the focus. */
  reveal?: { key: string } | null | undefined
}

const keyOf = (picture: OutputAsset) => picture._id
const squareOf = () => 1

/** A grid of pictures with multi-selection. */
export function PictureGrid({ list, label, empty, album = false, dated = false, reveal }: PictureGridProps) {
  const user = useUser()
  const mayHide = useCanUnpublish().is === 'allowed'
  const { pathname, search, state } = useLocation()
  // While a picture is open above the list, the list's address is in the picture's history state.
  const under = (state as OpenedFrom | null)?.under ?? pathname + search
  const pictures = useInfiniteQuery({
    ...picturesQuery(list, Boolean(user)),
    enabled: user !== undefined || list.of === 'public',
  })
  // Deferred, so that slow phones handle input between renders.
  const all = useDeferredValue(pictures.data)
  const { selected, pick, clear } = useSelection(all, list)
  const sections = useSections(dated ? all : undefined)
  if (pictures.isPending || (pictures.data && !all)) return <GridSkeleton album={album} />
  if (!all) return <ErrorState error={pictures.error} onRetry={() => void pictures.refetch()} />
  if (all.length === 0) return empty
  const chosen = all.filter((picture) => selected.ids.has(picture._id) && !blockedReason(picture, list))
  const any = chosen.length > 0
  const ruled = Boolean(user?.roles.includes('Admin')) || chosen.every((picture) => isOwn(picture, user))
  return (
    <>
      <Masonry
        label={label}
        items={all}
        keyOf={keyOf}
        ratioOf={album ? squareOf : ratioOf}
        shapeOf={album ? albumShape : gridShape}
        sections={sections}
        reveal={reveal}
        render={(picture, index) => (
          <PictureTile
            picture={picture}
            list={list}
            under={under}
            eager={index < 3}
            slots={album ? ALBUM_SLOTS : GRID_SLOTS}
            selected={selected.ids.has(picture._id)}
            anySelected={any}
            pick={user ? pick : undefined}
          />
        )}
      />
      <LoadMore
        hasMore={pictures.hasNextPage}
        loading={pictures.isFetchingNextPage}
        onMore={() => void pictures.fetchNextPage()}
      />
      {any && (
        <SelectionBar
          pictures={chosen}
          may={{
            publish: ruled,
            hide: mayHide && ruled && chosen.some((picture) => !picture.isPrivate),
            remove: ruled && list.of !== 'public',
          }}
          onClear={clear}
        />
      )}
    </>
  )
}

/** The selection belongs to one list: another order or filter clears it. */
function useSelection(all: OutputAsset[] | undefined, list: PictureList) {
  const of = JSON.stringify(list)
  const [held, setHeld] = useState({ of, selection: EMPTY_SELECTION })
  const selected = held.of === of ? held.selection : EMPTY_SELECTION
  const setSelected = useCallback(
    (change: (old: Selection) => Selection) =>
      setHeld((old) => ({ of, selection: change(old.of === of ? old.selection : EMPTY_SELECTION) })),
    [of],
  )
  const order = useMemo(() => all?.map(keyOf) ?? [], [all])
  const pick = useCallback<SelectTile>(
    (id, how) => setSelected((old) => (how === 'range' ? addRange(old, order, id) : toggleOne(old, id))),
    [order, setSelected],
  )
  const clear = useCallback(() => setSelected(() => EMPTY_SELECTION), [setSelected])
  return { selected, pick, clear }
}

function useSections(pictures: OutputAsset[] | undefined) {
  const { t } = useTranslation('gallery')
  return useMemo(() => {
    if (!pictures) return undefined
    return groupByDate(pictures, Date.now()).map(({ key, count, daysLeft }) => ({
      key,
      count,
      headed: true,
      heading: (
        <>
          <h2 className={styles.date}>{key}</h2>
          {daysLeft !== null && (
            <span className={daysLeft <= 3 ? styles.soon : styles.later}>
              {daysLeft === 0 ? t('scheduled') : t('daysLeft', { count: daysLeft })}
            </span>
          )}
        </>
      ),
    }))
  }, [pictures, t])
}

function GridSkeleton({ album }: { album: boolean }) {
  return (
    <div className={classNames(styles.skeleton, album && styles.album)} aria-busy="true">
      {Array.from({ length: 15 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: grey boxes have no identity.
        <Skeleton key={index} style={{ aspectRatio: index % 3 === 1 && !album ? 3 / 4 : 1 }} />
      ))}
    </div>
  )
}
