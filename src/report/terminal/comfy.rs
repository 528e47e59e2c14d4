//! The one look of all tables.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};

use super::Style;

/// A line under the heading and nothing else: figures stand on their own.
const LOOK: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─'));
/// Space before a column.
pub(super) const GAP: u16 = 2;

/// An empty table that never breaks a line.
pub(super) fn table(style: Style) -> Table {
    let mut table = Table::new();
    table
        .load_style(LOOK)
        .set_content_arrangement(ContentArrangement::Disabled);
    if style.colour {
        table.enforce_styling();
    } else {
        table.force_no_tty();
    }
    table
}

/// Per column: whether it is set to the right, and the space before it. The
/// first column stands at the edge.
pub(super) fn align(table: &mut Table, columns: impl Iterator<Item = (bool, u16)>) {
    for (index, (right, gap)) in columns.enumerate() {
        if let Some(column) = table.column_mut(index) {
            column.set_padding((if index == 0 { 0 } else { gap }, 0));
            if right {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
    }
}
