/** Whether the page follows the end of the conversation. A state, not a distance: a reader is never moved. */
export interface Following {
  readonly isFollowing: boolean;
  /** Entries that came since the user left the end. */
  readonly missed: number;
}

/** What is seen of a scrolled area, in CSS pixels. */
export interface ScrollPlace {
  readonly top: number;
  readonly height: number;
  readonly total: number;
}

export const following: Following = { isFollowing: true, missed: 0 };
export const reading: Following = { isFollowing: false, missed: 0 };

// positions are fractions where the window is zoomed
const endTolerancePx = 2;

export function isAtEnd({ top, height, total }: ScrollPlace): boolean {
  return total - top - height <= endTolerancePx;
}

/** The area was scrolled, by whomever. @param before where its top was */
export function afterScroll(state: Following, before: number, place: ScrollPlace): Following {
  if (place.top < before) {
    // where the content got shorter, its end comes to the user
    return state.isFollowing && !isAtEnd(place) ? reading : state;
  }
  return isAtEnd(place) ? following : state;
}

/** The user wants to move, which may take effect later, or not at all. */
export function afterIntent(
  state: Following,
  direction: 'up' | 'down',
  place: ScrollPlace,
): Following {
  if (direction === 'down') {
    return isAtEnd(place) ? following : state;
  }
  return state.isFollowing && place.top > 0 ? reading : state;
}

export function afterNews(state: Following, entries: number): Following {
  return state.isFollowing || entries === 0 ? state : { ...state, missed: state.missed + entries };
}
