// Decides whether another apply could undo a change: wholly, with a loss, or not at all.
//
// irreversible   a deletion removes the history too; sent messages stay sent; a one-way flag stays set
// lossy          ending a membership loses what its user had read (platform §5.3), and so does a deactivation that leaves
//                the channels; a code, token or image that is replaced is kept nowhere, since state never holds one
// reversible     everything else: the earlier values stand in state and in git
import type { AttributeChange, Reversibility } from '../../model/change.ts';
import type { OrderedObject } from '../order/order.ts';

export function reversibilityOf({ plan, steps }: Pick<OrderedObject, 'plan' | 'steps'>): Reversibility {
  const isGone = steps.some(({ action }) => action === 'delete' || action === 'erase' || action === 'migrate');
  const edited = plan.completesCreation ? [] : plan.attributes.filter(({ how }) => how === 'set');
  const { attributes } = plan.kind;
  const isForGood = edited.some(({ path, after }) => definitionOf(path)?.change === 'one_way' && after === true);
  if (isGone || isForGood) return 'irreversible';
  const isLost = edited.some(({ path, before }) => definitionOf(path)?.shownBy === 'nothing' && before !== undefined);
  return isLost || steps.some(endsMemberships) ? 'lossy' : 'reversible';

  function definitionOf([name = '']: AttributeChange['path']) {
    return attributes[name];
  }
}

function endsMemberships({ action, request }: OrderedObject['steps'][number]): boolean {
  return action === 'leave' || (action === 'deactivate' && request?.body?.leave_all_when_deactivated === true);
}
